// These are the lists of direct messages. Each is read through the index made for it, in the order of that index, at most a page
// of rows. Two rules hold the planner on that index, which might otherwise walk another one through the whole conversation or
// through everybody's messages: a list is ordered by all columns of the index, and the key that is searched for comes from a row
// `k` or an array, not from a constant. test/plans.test.ts checks it. SQL names its values as psql does: `:reader`.

import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { type Direction, list, type PageQuery } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import {
  endsOf,
  itemsMarked,
  itemsOfEach,
  itemsOfTwo,
  marksOfMessage,
} from '../../messages/direct-message.ts'
import { erasedBy, notErasedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { pairBucket } from '../../values/bucket.ts'

/** Returns the columns of an index before the id, and then the id, in one direction. */
const inOrder = (columns: string[], direction: Direction) =>
  [...columns, 'id'].map((column) => `m.${column} ${direction}`).join(', ')

const marked = `, ${marksOfMessage(':reader')} as marked`

const visible = `${notErasedBy(':reader')} and ${notHiddenFrom(':reader')}`

/**
 * SQL for what :reader has sent or received; `condition` and `columns` are those of an index besides its first column.
 */
const sentOrReceived =
  (condition = 'true', columns: string[] = []) =>
  (direction: Direction, isFull: boolean) =>
    `
    select * from (
      (select m.*${isFull ? marked : ''} from direct_messages m
       where m.fromaddr = any(array[:reader::text]) and ${condition} and ${visible} and m.id > :after and m.id < :before
       order by ${inOrder(['fromaddr', ...columns], direction)} limit :limit)
      union all
      (select m.*${isFull ? marked : ''} from direct_messages m
       where m.toaddr = any(array[:reader::text]) and m.fromaddr <> :reader and ${condition} and ${visible} and m.id > :after and m.id < :before
       order by ${inOrder(['toaddr', ...columns], direction)} limit :limit)
    ) u order by id ${direction} limit :limit`

/** Addresses and names of two wallets are made into JSON once, not for each message. */
const ofTwo = {
  known: `,
        ${endsOf(':reader::text', ':peer::text')} as to_peer, ${endsOf(':peer::text', ':reader::text')} as to_reader`,
  shown: ', case when m.fromaddr = :reader then k.to_peer else k.to_reader end as ends',
  items: itemsOfTwo(':reader', ':bucket'),
}
/** A poll mostly finds no message. */
const ofEach = { known: '', shown: '', items: itemsOfEach(':reader', ':bucket') }

/**
 * SQL for the conversation of :reader and :peer, as sentOrReceived. The end of a page is compared as a row: from two plain bounds
 * the planner expects few ids, and in a table or a part of it that is short at planning time, it would take the index on ids
 * alone, which later has everybody's messages.
 */
const betweenBoth =
  (condition = 'true', columns: string[] = [], ends = ofTwo) =>
  (direction: Direction) =>
    `
    select m.*${ends.shown} from (
      select id, ${erasedBy(':reader')} as erased${ends.known}
      from conversations c
      where bucket = :bucket and a = least(:reader::text collate "C", :peer) and b = greatest(:reader::text collate "C", :peer)
      offset 0
    ) k cross join lateral (
      select m.* from direct_messages m
      where m.bucket = :bucket and m.conversation_id = k.id and m.id > k.erased and ${notHiddenFrom(':reader')} and ${condition}
        and m.id > :after and (m.id, m.bucket) < (:before, 0)
      order by ${inOrder(['bucket', 'conversation_id', ...columns], direction)} limit :limit) m`

const aboutToken = 'm.nftaddr = :nftaddr and m.nftid = :nftid'

// The index on time gives the id of the first message that is newer, and so the place in the list.
const isNewer = `m.id >= (
  select f.id from direct_messages f where f.bucket = :bucket and f.conversation_id = k.id and f.ms > :time
  order by f.bucket, f.conversation_id, f.ms limit 1)`

const wallet = { reader: 'text' }
const pair = { bucket: 'integer', reader: 'text', peer: 'text' }
const token = { nftaddr: 'text', nftid: 'text' }

const direct = <Name extends string>(
  types: Record<Name, string>,
  rows: (direction: Direction, isFull: boolean) => string,
  items = itemsMarked(':reader'),
  sizes: { firstRows?: number; atOnce?: number } = {},
) => list<ChatItem, Name>({ types, rows, ...items, texts, ...sizes })

const texts = ['m.message', 'm.encrypted_sym_x_key', 'm.x_access_conditions']

const ofWallet = direct(wallet, sentOrReceived())
const ofPair = direct(pair, betweenBoth(), ofTwo.items)
// Clients poll this one, mostly for nothing or for one message: small first pages, many at once.
const ofPairSince = direct({ ...pair, time: 'bigint' }, betweenBoth(isNewer, [], ofEach), ofEach.items, {
  firstRows: 20,
  atOnce: 32,
})
const readByPeer = direct(pair, betweenBoth('m.fromaddr = :reader and m.read', ['fromaddr']), ofTwo.items)
const aboutNfts = direct(wallet, sentOrReceived('m.nftaddr is not null'))
const ofWalletAboutToken = direct({ ...wallet, ...token }, sentOrReceived(aboutToken, ['nftaddr', 'nftid']))
const ofPairAboutToken = direct(
  { ...pair, ...token },
  betweenBoth(aboutToken, ['nftaddr', 'nftid']),
  ofTwo.items,
)

interface Token {
  nftaddr: string
  nftid: string
}

const pairOf = (reader: string, peer: string) => ({ bucket: pairBucket(reader, peer), reader, peer })

export const findMessagesOf = (db: Db, reader: string, page: PageQuery) => ofWallet(db, { reader }, page)

export const findConversation = (db: Db, reader: string, peer: string, page: PageQuery) =>
  ofPair(db, pairOf(reader, peer), page)

/** Returns messages strictly after a time, in epoch milliseconds. */
export const findConversationSince = (db: Db, reader: string, peer: string, time: number, page: PageQuery) =>
  ofPairSince(db, { ...pairOf(reader, peer), time: Math.floor(time) }, page)

/** Returns the newest 1000 messages of the reader that the peer has read. */
export const findReadMessages = (db: Db, reader: string, peer: string, page: PageQuery) =>
  readByPeer(db, pairOf(reader, peer), { limit: 1000, before: Number.MAX_SAFE_INTEGER, ...page })

export const findNftMessagesOf = (db: Db, reader: string, page: PageQuery) => aboutNfts(db, { reader }, page)

export const findNftMessagesOfToken = (db: Db, reader: string, { nftaddr, nftid }: Token, page: PageQuery) =>
  ofWalletAboutToken(db, { reader, nftaddr, nftid }, page)

export const findNftConversation = (
  db: Db,
  reader: string,
  peer: string,
  { nftaddr, nftid }: Token,
  page: PageQuery,
) => ofPairAboutToken(db, { ...pairOf(reader, peer), nftaddr, nftid }, page)
