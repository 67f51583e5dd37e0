// The ledger is a record, outside of the service, of what was sent and what the service has acknowledged. A line is on disk
// before the drill continues: the intent before the request is sent, the acknowledgement after the 2xx has arrived. A write that
// is intended but not acknowledged may be stored or not; an acknowledged one must be.

import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'

type Line =
  | {
      do: 'send'
      key: string
      room: string
      from: string
      at: number
      replyTo?: number | undefined
      files?: SentFile[]
    }
  | { do: 'sent'; key: string; id: number; timestamp: string; at: number }
  | { do: 'mark'; key: string }
  | { do: 'marked'; key: string }
  | { do: 'edit'; key: string; text: string }
  | { do: 'edited'; key: string }
  | { do: 'react'; key: string; by: string; values: string[] }
  | { do: 'reacted'; key: string; by: string }
  /** A backup was restored: what was acknowledged since that line may be gone. */
  | { do: 'restored'; since: number }

/** A file of a message, as it was uploaded. */
export interface SentFile {
  id: string
  size: number
  sha256: string
}

export interface Ledger extends Disposable {
  path: string
  history: History
  /** Keys of acknowledged messages by room, in the order of their acknowledgements. */
  acknowledged: Map<string, string[]>
  /** The number of lines. */
  readonly length: number
  write(line: Line): void
}

/** A message that the drill intended to send, and its result. Orders are line numbers of the ledger. */
export interface Entry {
  key: string
  room: string
  from: string
  intended: number
  intendedAt: number
  acknowledged?: { order: number; at: number; id: number; timestamp: string }
  mark?: 'intended' | 'acknowledged'
  markedAt?: number
  /** The id of the message that it replies to. */
  replyTo?: number
  files?: SentFile[]
  /** The texts that replaced its first one, in their order. */
  edits?: { text: string; acknowledged: boolean }[]
  /** The sets of reactions of each wallet, in their order. */
  reactions?: Map<string, { values: string[]; acknowledged: boolean }[]>
}

export type History = Map<string, Entry>

/** Opens a new ledger. */
export function openLedger(path: string): Ledger {
  const file = openSync(path, 'wx')
  const history: History = new Map()
  const acknowledged: Ledger['acknowledged'] = new Map()
  let order = 0
  return {
    path,
    history,
    acknowledged,
    get length() {
      return order
    },
    write(line) {
      writeSync(file, `${JSON.stringify(line)}\n`)
      fdatasyncSync(file)
      apply(history, line, order++)
      // The check at the end covers what is left.
      if (line.do === 'restored') acknowledged.clear()
      if (line.do !== 'sent') return
      const { room } = history.get(line.key)!
      const keys = acknowledged.get(room)
      if (keys) keys.push(line.key)
      else acknowledged.set(room, [line.key])
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

/** Reads the history from the file, for the checker. */
export function readLedger(path: string): History {
  const history: History = new Map()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean)
  lines.forEach((line, order) => apply(history, JSON.parse(line) as Line, order))
  return history
}

function apply(history: History, line: Line, order: number): void {
  if (line.do === 'send') {
    const { key, room, from, at, replyTo, files } = line
    const more = { ...(replyTo !== undefined && { replyTo }), ...(files && { files }) }
    history.set(key, { key, room, from, intended: order, intendedAt: at, ...more })
    return
  }
  if (line.do === 'restored') {
    for (const entry of history.values()) forget(entry, line.since)
    return
  }
  const entry = history.get(line.key)
  if (!entry) throw new Error(`the ledger has no intent of ${line.key}`)
  if (line.do === 'sent') entry.acknowledged = { order, at: line.at, id: line.id, timestamp: line.timestamp }
  else if (line.do === 'edit') (entry.edits ??= []).push({ text: line.text, acknowledged: false })
  else if (line.do === 'edited') entry.edits!.at(-1)!.acknowledged = true
  else if (line.do === 'react') {
    const sets = (entry.reactions ??= new Map()).get(line.by) ?? []
    entry.reactions.set(line.by, [...sets, { values: line.values, acknowledged: false }])
  } else if (line.do === 'reacted') entry.reactions!.get(line.by)!.at(-1)!.acknowledged = true
  else {
    entry.mark = line.do === 'mark' ? 'intended' : 'acknowledged'
    entry.markedAt = order
  }
}

/** Makes the message one that may be stored or not, as if it had never been acknowledged. */
function forget(entry: Entry, since: number): void {
  if (entry.acknowledged && entry.acknowledged.order >= since) delete entry.acknowledged
  if (entry.markedAt !== undefined && entry.markedAt >= since) entry.mark = 'intended'
}
