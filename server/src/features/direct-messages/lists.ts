// Lists of direct messages. Each is read through the index made for it, in the order of that index,
// at most a page of rows. Two rules keep the planner on that index, which might otherwise walk
// another one through the whole conversation or through everybody's messages: a list is ordered by
// all columns of the index, and the key that is searched for comes from a row `k`, not from a
// constant. test/plans.test.ts checks it. SQL names its values as psql does: `:reader`.

import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { coalesced } from '../../db/coalesce.ts'
import {
  type JsonList,
  type JsonPage,
  listByPages,
  pageColumns,
  type PageQuery,
  readPage,
} from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { chatItem } from '../../messages/direct-message.ts'
import { erasedBy, isPair } from '../../messages/shared-sql.ts'

type Direction = 'asc' | 'desc'

/** Columns of an index before the id, and then the id. */
const inOrder = (columns: string[], direction: Direction) =>
  [...columns, 'id'].map((column) => `m.${column} ${direction}`).join(', ')

/**
 * What :reader has sent or received; `condition` and `columns` are those of an index besides its
 * first column.
 */
const sentOrReceived =
  (condition = 'true', columns: string[] = []) =>
  (direction: Direction) =>
    `
    select * from (
      (select m.* from unnest(array[:reader::text]) as k (wallet) cross join lateral (
        select m.* from direct_messages m
        where m.fromaddr = k.wallet and ${condition} and ${notErased} and m.id > :after and m.id < :before
        order by ${inOrder(['fromaddr', ...columns], direction)} limit :limit) m)
      union all
      (select m.* from unnest(array[:reader::text]) as k (wallet) cross join lateral (
        select m.* from direct_messages m
        where m.toaddr = k.wallet and m.fromaddr <> :reader and ${condition} and ${notErased} and m.id > :after and m.id < :before
        order by ${inOrder(['toaddr', ...columns], direction)} limit :limit) m)
    ) u order by id ${direction} limit :limit`

const notErased = `m.id > (select ${erasedBy(':reader')} from conversations c where c.id = m.conversation_id)`

/** The conversation of :reader and :peer, as sentOrReceived. */
const betweenBoth =
  (condition = 'true', columns: string[] = []) =>
  (direction: Direction) =>
    `
    select m.* from (
      select id, ${erasedBy(':reader')} as erased from conversations c where ${isPair(':reader', ':peer')}
    ) k cross join lateral (
      select m.* from direct_messages m
      where m.conversation_id = k.id and m.id > k.erased and ${condition} and m.id > :after and m.id < :before
      order by ${inOrder(['conversation_id', ...columns], direction)} limit :limit) m`

const aboutToken = 'm.nftaddr = :nftaddr and m.nftid = :nftid'

// The index on time gives the id of the first message that is newer, and so the place in the list.
const isNewer = `m.id >= (
  select f.id from direct_messages f where f.conversation_id = k.id and f.timestamp > to_timestamp(:time::float8 / 1000)
  order by f.conversation_id, f.timestamp limit 1)`

const wallet = { reader: 'text' }
const pair = { reader: 'text', peer: 'text' }
const token = { nftaddr: 'text', nftid: 'text' }

const ofWallet = list(wallet, sentOrReceived())
const ofPair = list(pair, betweenBoth())
// Clients poll this one, mostly for nothing or for one message: small first pages, many at once.
const ofPairSince = list({ ...pair, time: 'float8' }, betweenBoth(isNewer), { firstSize: 20, atOnce: 32 })
const readByPeer = list(pair, betweenBoth('m.fromaddr = :reader and m.read', ['fromaddr']))
const aboutNfts = list(wallet, sentOrReceived('m.nftaddr is not null'))
const ofWalletAboutToken = list({ ...wallet, ...token }, sentOrReceived(aboutToken, ['nftaddr', 'nftid']))
const ofPairAboutToken = list({ ...pair, ...token }, betweenBoth(aboutToken, ['nftaddr', 'nftid']))

interface Token {
  nftaddr: string
  nftid: string
}

export const findMessagesOf = (db: Db, reader: string, page: PageQuery) => ofWallet(db, { reader }, page)

export const findConversation = (db: Db, reader: string, peer: string, page: PageQuery) =>
  ofPair(db, { reader, peer }, page)

/** Messages strictly after a time, in epoch milliseconds. */
export const findConversationSince = (db: Db, reader: string, peer: string, time: number, page: PageQuery) =>
  ofPairSince(db, { reader, peer, time }, page)

/** The newest 1000 messages of the reader that the peer has read. */
export const findReadMessages = (db: Db, reader: string, peer: string, page: PageQuery) =>
  readByPeer(db, { reader, peer }, { limit: 1000, before: Number.MAX_SAFE_INTEGER, ...page })

export const findNftMessagesOf = (db: Db, reader: string, page: PageQuery) => aboutNfts(db, { reader }, page)

export const findNftMessagesOfToken = (db: Db, reader: string, { nftaddr, nftid }: Token, page: PageQuery) =>
  ofWalletAboutToken(db, { reader, nftaddr, nftid }, page)

export const findNftConversation = (
  db: Db,
  reader: string,
  peer: string,
  { nftaddr, nftid }: Token,
  page: PageQuery,
) => ofPairAboutToken(db, { reader, peer, nftaddr, nftid }, page)

/** Longer pages go to PostgreSQL alone: their rows cost more than the round trip. */
const mostCoalesced = 100

interface ListOptions {
  /** Rows of the first page of a whole list. */
  firstSize?: number
  /** How many reads one statement may carry. */
  atOnce?: number
}

/** A list, made from the types of its values by name, and the SQL of its rows. */
function list<Name extends string>(
  types: Record<Name, string>,
  rowsOf: (direction: Direction) => string,
  { firstSize, atOnce = 8 }: ListOptions = {},
): (db: Db, values: Record<Name, unknown>, page: PageQuery) => JsonList<ChatItem> {
  const allTypes = { after: 'bigint', before: 'bigint', limit: 'int', ...types }
  const names = Object.keys(allTypes)
  const pageOf = (direction: Direction) => {
    const rows = rowsOf(direction).replaceAll(
      /(?<!:):(\w+)/g,
      (_, name: string) => `$${names.indexOf(name) + 1}`,
    )
    const sql = `select ${pageColumns} from (select m.id, ${chatItem} as item from (${rows}) m) page`
    const options = { atOnce, as: 'bytes' } as const
    return { sql, together: coalesced<JsonPage>(sql, Object.values(allTypes), options) }
  }
  const [oldest, newest] = [pageOf('asc'), pageOf('desc')]
  return (db, given, page) =>
    listByPages(
      async (query) => {
        const { sql, together } = query.newest ? newest : oldest
        const byName: Record<string, unknown> = { ...given, ...query }
        const values = names.map((name) => byName[name])
        return query.limit <= mostCoalesced ? (await together(db, values))[0]! : readPage(db, sql, values)
      },
      page,
      firstSize,
    )
}
