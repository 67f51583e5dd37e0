// This compares what the service lists with what it has acknowledged, according to the ledger.

import type { Entry } from './ledger.ts'

export type ViolationKind =
  | 'lost' // acknowledged, but the list differs from what was acknowledged
  | 'duplicated' // one intent, stored more than once
  | 'out of order' // times or ids do not increase, or go against the order in which things happened
  | 'phantom' // in a list, but no intent has it
  | 'gap' // a watcher missed a message, or received it twice
  | 'count' // an unread count, an inbox row or anything in the database does not equal a recount
  | 'refused' // a response that no fault excuses
  | 'slow' // not back in time
  | 'broken' // anything else a drill demands

export interface Violation {
  kind: ViolationKind
  detail: string
}

/** The fields that every kind of message has in a list. */
export interface Item {
  id: number
  timestamp: string
  fromaddr: string
  message: string
  read?: boolean
  reply_to?: number
  revision?: number
  reactions?: { value: string; count: number }[]
  files?: { id: string; size: number }[]
}

/** Returns the key of the intent, with which the text of a message begins. */
export const keyOf = ({ message }: Pick<Item, 'message'>) => message.split(' ', 1)[0]!

/** Checks the full list of one room against the entries of that room. */
export function checkRoom(room: string, entries: Entry[], listed: Item[]): Violation[] {
  const found: Violation[] = []
  const fail = (kind: ViolationKind, detail: string) => found.push({ kind, detail: `${detail} in ${room}` })
  const known = new Map(entries.map((entry) => [entry.key, entry]))
  const seen = new Map<string, Item>()

  for (const [i, item] of listed.entries()) {
    const key = keyOf(item)
    const entry = known.get(key)
    if (!entry || entry.from !== item.fromaddr) fail('phantom', `${item.id} ${key} was never sent`)
    if (seen.has(key)) fail('duplicated', `${key} is stored as ${seen.get(key)!.id} and ${item.id}`)
    seen.set(key, item)
    const before = listed[i - 1]
    if (before && !(before.id < item.id && before.timestamp < item.timestamp))
      fail(
        'out of order',
        `${before.id} (${before.timestamp}) is listed before ${item.id} (${item.timestamp})`,
      )
    if (item.read !== undefined && entry && entry.mark !== 'intended') {
      // A message that a wallet writes to itself is read from the start.
      const should = entry.mark === 'acknowledged' || room === `${entry.from} ${entry.from}`
      if (item.read !== should)
        fail(
          'count',
          `${item.id} is ${item.read ? 'read' : 'unread'}, but was ${entry.mark ?? 'never'} marked`,
        )
    }
  }
  for (const { key, acknowledged } of entries) {
    if (!acknowledged) continue
    const item = seen.get(key)
    if (!item) fail('lost', `${key} was acknowledged as ${acknowledged.id}`)
    else if (item.id !== acknowledged.id || item.timestamp !== acknowledged.timestamp)
      fail('lost', `${key} was acknowledged as ${acknowledged.id}, but is ${item.id}`)
  }
  return [...found, ...checkRealTime(room, entries)]
}

/** A message whose request began after another was acknowledged must come after that one. */
function checkRealTime(room: string, entries: Entry[]): Violation[] {
  const found: Violation[] = []
  const done = entries.filter((entry) => entry.acknowledged)
  const byEnd = done.toSorted((x, y) => x.acknowledged!.order - y.acknowledged!.order)
  let [next, id, timestamp] = [0, 0, '']
  for (const entry of done.toSorted((x, y) => x.intended - y.intended)) {
    for (; byEnd[next] && byEnd[next]!.acknowledged!.order < entry.intended; next++) {
      const { acknowledged } = byEnd[next]!
      if (acknowledged!.id > id) id = acknowledged!.id
      if (acknowledged!.timestamp > timestamp) timestamp = acknowledged!.timestamp
    }
    if (entry.acknowledged!.id <= id || entry.acknowledged!.timestamp <= timestamp)
      found.push({
        kind: 'out of order',
        detail: `${entry.key} began after ${id} (${timestamp}) was acknowledged, but is earlier in ${room}`,
      })
  }
  return found
}

/** Checks what a watcher received, in that order, against the full list of the same room. */
export function checkWatched(who: string, received: Item[], listed: Item[]): Violation[] {
  const ids = received.map(({ id }) => id)
  const known = new Set(ids)
  const found = listed
    .filter(({ id }) => !known.has(id))
    .map(({ id }): Violation => ({ kind: 'gap', detail: `${who} never received ${id}` }))
  if (known.size < ids.length)
    found.push({ kind: 'gap', detail: `${who} received ${ids.length - known.size} messages twice` })
  const disorder = ids.findIndex((id, i) => i > 0 && ids[i - 1]! > id)
  if (disorder > 0)
    found.push({
      kind: 'out of order',
      detail: `${who} received ${ids[disorder]} after ${ids[disorder - 1]}`,
    })
  return found
}
