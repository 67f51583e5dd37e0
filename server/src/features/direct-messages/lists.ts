// Every list is read through the index made for it, in the order of that index, at most a page of rows. It is ordered by all
// columns of the index, and the key that is searched for comes from a row `k` rather than from a constant: the planner might
// otherwise walk another index, through the whole conversation or everybody's messages. test/plans.test.ts looks at it.

import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { chatItem } from '../../messages/direct-message.ts'
import { gathered, gatheredBytes } from '../../db/coalesce.ts'
import { type JsonList, type JsonPage, listByPages, pageColumns, type PageQuery } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { erasedBy, isPair } from '../../messages/shared-sql.ts'

/** One index of a list. The list's values are numbered from $4. */
interface Part {
  /** Gives the row `k`. */
  from: string
  /** Messages `m` of that key. A message satisfies at most one part. */
  where: string
  /** The index's columns before the id. */
  order: string[]
}

// $4 is always the wallet that reads: it is not shown what it has erased.
const wallet = 'unnest(array[$4::text]) as k (wallet)'
const notErased = ` and m.id > (select ${erasedBy('$4')} from conversations c where c.id = m.conversation_id)`
const sentBy = (more = '', columns: string[] = []): Part => ({
  from: wallet,
  where: `m.fromaddr = k.wallet${more}${notErased}`,
  order: ['m.fromaddr', ...columns],
})
const receivedBy = (more = '', columns: string[] = []): Part => ({
  from: wallet,
  where: `m.toaddr = k.wallet and m.fromaddr <> $4${more}${notErased}`,
  order: ['m.toaddr', ...columns],
})
const between = (more = '', columns: string[] = []): Part => ({
  from: `(select id, ${erasedBy('$4')} as erased from conversations c where ${isPair('$4', '$5')}) k`,
  where: `m.conversation_id = k.id and m.id > k.erased${more}`,
  order: ['m.conversation_id', ...columns],
})

const ofWallet = list(['text'], [sentBy(), receivedBy()])
const ofPair = list(['text', 'text'], [between()])
// The index on time gives the first one's id, and so the place. Asked again and again, mostly for nothing or little.
const ofPairSince = list(
  ['text', 'text', 'float8'],
  [
    between(` and m.id >= (
      select f.id from direct_messages f where f.conversation_id = k.id and f.timestamp > to_timestamp($6::float8 / 1000)
      order by f.conversation_id, f.timestamp limit 1)`),
  ],
  'short',
)
const readByOther = list(['text', 'text'], [between(' and m.fromaddr = $4 and m.read', ['m.fromaddr'])])
const aboutNfts = list(
  ['text'],
  [sentBy(' and m.nftaddr is not null'), receivedBy(' and m.nftaddr is not null')],
)
const aboutToken = ' and m.nftaddr = $5 and m.nftid = $6'
const token = ['m.nftaddr', 'm.nftid']
const ofWalletAboutToken = list(
  ['text', 'text', 'text'],
  [sentBy(aboutToken, token), receivedBy(aboutToken, token)],
)
const ofPairAboutToken = list(
  ['text', 'text', 'text', 'text'],
  [between(' and m.nftaddr = $6 and m.nftid = $7', token)],
)

interface Token {
  nftaddr: string
  nftid: string
}

export const findMessagesOf = (db: Db, address: string, page: PageQuery) => ofWallet(db, [address], page)

export const findConversation = (db: Db, reader: string, peer: string, page: PageQuery) =>
  ofPair(db, [reader, peer], page)

/** Messages strictly after a time, in epoch milliseconds. */
export const findConversationSince = (db: Db, reader: string, peer: string, time: number, page: PageQuery) =>
  ofPairSince(db, [reader, peer, time], page)

/** The newest 1000 messages from one wallet to the other that have been read. */
export const findReadMessages = (db: Db, sender: string, recipient: string, page: PageQuery) =>
  readByOther(db, [sender, recipient], { limit: 1000, before: Number.MAX_SAFE_INTEGER, ...page })

export const findNftMessagesOf = (db: Db, address: string, page: PageQuery) => aboutNfts(db, [address], page)

export const findNftMessagesOfToken = (db: Db, address: string, { nftaddr, nftid }: Token, page: PageQuery) =>
  ofWalletAboutToken(db, [address, nftaddr, nftid], page)

export const findNftConversation = (
  db: Db,
  reader: string,
  peer: string,
  { nftaddr, nftid }: Token,
  page: PageQuery,
) => ofPairAboutToken(db, [reader, peer, nftaddr, nftid], page)

/** Pages of at most so many rows go together with those of other requests. */
const mostGathered = 100

/** One that is mostly short begins with a small page, and is no bytes: those are dearer than text as long as it is little. */
function list(
  types: string[],
  parts: Part[],
  mostly: 'long' | 'short' = 'long',
): (db: Db, values: unknown[], page: PageQuery) => JsonList<ChatItem> {
  const sql = { oldest: pageOf(parts, 'asc'), newest: pageOf(parts, 'desc') }
  const allTypes = ['bigint', 'bigint', 'int', ...types]
  const gather = mostly === 'short' ? gathered<JsonPage> : gatheredBytes<keyof JsonPage>
  const together = { oldest: gather(sql.oldest, allTypes), newest: gather(sql.newest, allTypes) }
  return (db, values, page) =>
    listByPages(
      async ({ after, before, limit, newest }) => {
        const which = newest ? 'newest' : 'oldest'
        const all = [after, before, limit, ...values]
        const read =
          limit <= mostGathered ? together[which](db, all) : db.queryBytes<keyof JsonPage>(sql[which], all)
        return (await read)[0]!
      },
      page,
      mostly === 'short' ? 20 : undefined,
    )
}

/** A page of messages as JSON: at most $3 rows of each part, merged. */
function pageOf(parts: Part[], direction: 'asc' | 'desc'): string {
  const selects = parts.map(
    ({ from, where, order }) => `
      (select m.* from ${from} cross join lateral (
        select m.* from direct_messages m where ${where} and m.id > $1 and m.id < $2
        order by ${[...order, 'm.id'].map((column) => `${column} ${direction}`).join(', ')} limit $3) m)`,
  )
  const merged =
    selects.length === 1
      ? selects[0]!
      : `(select * from (${selects.join(' union all ')}) u order by id ${direction} limit $3)`
  return `
    select ${pageColumns} from (select m.id, ${chatItem} as item from ${merged} m) page`
}
