// An event about a change of a message has ids alone: neither a text nor a reaction outlives a deletion in it. What it is about is
// read when the event is delivered, as it is then.

import { coalesced } from '../db/coalesce.ts'
import type { Db } from '../db/pool.ts'
import { isChange, isOfChat, type Item } from '../cluster/log.ts'
import { chatItemSeenBy } from '../messages/direct-message.ts'
import { groupChatItemIn, groupChatItemSeenBy, isHeld } from '../messages/group-message.ts'
import { erasedBy, notHiddenFrom } from '../messages/shared-sql.ts'
import { bucketOfId } from '../values/bucket.ts'

interface Found {
  item: Item
}
/** This is a part of an event. */
interface Change {
  type: string
  id: number
  fromaddr?: string
}

const atOnce = { atOnce: 32 }

const values = coalesced<{ vals: string[] }>(
  `select r.vals from reactions r
   where r.bucket = $1 and r.item_id = $2 and r.walletaddr = $3 and (not r.unseen or r.walletaddr = $4)`,
  ['integer', 'bigint', 'text', 'text'],
  atOnce,
)

const counts = coalesced<{ value: string; n: number }>(
  `select k.value, k.n from reaction_counts k where k.bucket = $1 and k.item_id = $2`,
  ['integer', 'bigint'],
  atOnce,
)

/** A wallet whose reactions only it sees gets the counts with them: it must not notice it by the counts of others. */
const unseen = coalesced<{ walletaddr: string; vals: string[] }>(
  `select r.walletaddr, r.vals from reactions r where r.bucket = $1 and r.item_id = $2 and r.unseen`,
  ['integer', 'bigint'],
  atOnce,
)

const direct = coalesced<{ item: string }>(
  `select ${chatItemSeenBy('$3')} as item from direct_messages m
   join conversations c on c.bucket = $1 and c.id = m.conversation_id and m.id > ${erasedBy('$3')}
   where m.bucket = $1 and m.id = $2 and ${notHiddenFrom('$3')}`,
  ['integer', 'bigint', 'text'],
  atOnce,
)

/**
 * The wallet $4 is the only member that gets the event, else it is empty. Also in an event for all members the author gets the
 * message as it sees it.
 */
const post = coalesced<{ item: string; author: string | null; own: string | null }>(
  `select ${groupChatItemSeenBy('$4', 'c')} as item, case when m.own is not null then m.fromaddr end as author,
     case when m.own is not null then ${groupChatItemSeenBy('m.fromaddr', 'c')} end as own
   from group_messages m
   join group_chats c on c.bucket = $1 and c.chat = m.chat
   where m.bucket = $1 and m.chat = $3 and m.id = $2 and m.removed_by is null
   union all
   select ${groupChatItemIn('c', isHeld)}, null, null from withheld_posts m
   join group_chats c on c.bucket = $1 and c.chat = m.chat
   where m.bucket = $1 and m.chat = $3 and m.fromaddr = $4 and m.id = $2 and m.removed_by is null`,
  ['integer', 'bigint', 'text', 'text'],
  atOnce,
)

type Counts = Map<string, number>
type Fill = (db: Db, item: Item, change: Change) => Promise<Item | undefined>

const filled = (item: Item, change: Change, more: object): Item => ({
  ...item,
  json: JSON.stringify({ ...change, ...more }),
})

/** Sorts as the lists do (messages/marks.ts). */
const listed = (of: Counts) =>
  [...of]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))

const fills: Record<string, Fill> = {
  async reacted(db, item, change) {
    const at = [bucketOfId(change.id), change.id]
    if (!isOfChat(item)) {
      const [row] = await values(db, [...at, change.fromaddr, item.one])
      return filled(item, change, { values: row?.vals ?? [] })
    }
    const [seenByAll, seenByOne] = await Promise.all([counts(db, at), unseen(db, at)])
    const shared: Counts = new Map(seenByAll.map(({ value, n }) => [value, n]))
    const jsonWith = (own: string[]) => {
      const all = new Map(shared)
      for (const value of own) all.set(value, (all.get(value) ?? 0) + 1)
      return JSON.stringify({ ...change, reactions: listed(all) })
    }
    return {
      ...item,
      json: jsonWith([]),
      apart:
        seenByOne.length > 0
          ? Object.fromEntries(seenByOne.map(({ walletaddr, vals }) => [walletaddr, jsonWith(vals)]))
          : null,
    }
  },

  async 'reacted-mine'(db, item, change) {
    const wallet = item.one
    const [row] = await values(db, [bucketOfId(change.id), change.id, wallet, wallet])
    return filled(item, change, { values: row?.vals ?? [] })
  },

  async edited(db, item, change) {
    const at = [bucketOfId(change.id), change.id, item.one]
    const jsonWith = (message: string) => `${JSON.stringify(change).slice(0, -1)},"item":${message}}`
    // Where there is no row, an event about the deletion follows.
    if (!isOfChat(item)) {
      const [row] = await direct(db, at)
      return row && { ...item, json: jsonWith(row.item) }
    }
    const [row] = await post(db, [...at, item.other ?? ''])
    if (!row) return undefined
    const { author, own } = row
    return { ...item, json: jsonWith(row.item), apart: author && own ? { [author]: jsonWith(own) } : null }
  },
}

/**
 * Of several events about the reactions to a post one is enough: all would have the same counts. An event for all members also
 * serves the only member of another one, who must get as many of them as anybody.
 */
function newestOf(all: { item: Item; change: Change | undefined }[]): (i: number) => boolean {
  const last = new Map<string, number>()
  const keyOf = (id: number, member: string | null) => `${id} ${member ?? ''}`
  for (const [i, { item, change }] of all.entries())
    if (change?.type === 'reacted' && isOfChat(item)) last.set(keyOf(change.id, item.other), i)
  return (i) => {
    const { item, change } = all[i]!
    if (change?.type !== 'reacted' || !isOfChat(item)) return true
    const forAll = last.get(keyOf(change.id, null))
    return (forAll ?? last.get(keyOf(change.id, item.other))) === i
  }
}

/** Reads what the events among some findings are about. Those about a message that is gone are left out. */
export async function asItIsNow<Finding extends Found>(
  db: Db,
  found: readonly Finding[],
): Promise<Finding[]> {
  const those = found.map(({ item }) => (isChange(item) ? (JSON.parse(item.json) as Change) : undefined))
  const isNewest = newestOf(found.map(({ item }, i) => ({ item, change: those[i] })))
  const all = await Promise.all(
    found.map(async (finding, i) => {
      const change = those[i]
      if (!change) return finding
      const item = isNewest(i) ? await fills[change.type]!(db, finding.item, change) : undefined
      return item && { ...finding, item }
    }),
  )
  return all.filter((finding) => finding !== undefined)
}
