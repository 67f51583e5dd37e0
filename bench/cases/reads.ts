// These are the cases that read, each with the store's own query as its baseline.

import type { Db } from '../../server/src/db/pool.ts'
import { findConversation, findConversationSince } from '../../server/src/features/direct-messages/lists.ts'
import { getVisitor } from '../../server/src/features/group-chats/store.ts'
import { countUnread, countUnreadFrom, countUnreadOfToken } from '../../server/src/features/inbox/counts.ts'
import { findInbox } from '../../server/src/features/inbox/store.ts'
import { type Case, get, inTurn, reading } from './case.ts'
import { drain } from './baselines.ts'
import { loaderOf } from '../data/loader.ts'
import { chatName, chats, hubsOf, type InboxRows, longPair, type Pair } from '../data/layout.ts'
import { pairBucket } from '../../server/src/values/bucket.ts'
import { deepPairs, type Since, since } from './targets.ts'
import type { Access } from '../service/access.ts'

const newest = { limit: 100, before: Number.MAX_SAFE_INTEGER }
const whole = ([one, other]: Pair) => `/v1/getall_chatitems/${one}/${other}`

export const conversation = reading(
  'conversation',
  'the last 100 of a conversation',
  deepPairs,
  (pair) => [pair[0], `${whole(pair)}?limit=${newest.limit}&before=${newest.before}`],
  (db, pair) => drain(db, findConversation(db, ...pair, newest)),
)

/** Every message of the deep conversations gets two reactions and replies to the one before it. */
async function markAll({ db, ...access }: Access): Promise<void> {
  for (const [one, other] of deepPairs({ db, ...access })) {
    const values = [pairBucket(one, other), one, other]
    await db.query(
      `update direct_messages m set marks = 10, reply_to = m.id - 64 where bucket = $1 and conversation_id = (
         select id from conversations where bucket = $1 and a = least($2::text collate "C", $3) and b = greatest($2::text collate "C", $3))`,
      values,
    )
    await db.query(
      `insert into reactions (bucket, item_id, walletaddr, vals, ms)
       select m.bucket, m.id, w.walletaddr, '{👍}', m.ms from direct_messages m cross join unnest(array[$2::text, $3]) as w (walletaddr)
       where m.bucket = $1 and least(m.fromaddr, m.toaddr) = least($2::text collate "C", $3) and greatest(m.fromaddr, m.toaddr) = greatest($2::text collate "C", $3)
       on conflict do nothing`,
      values,
    )
  }
  await db.query(
    'select count(show_message_reactions_v1(bucket, conversation_id, id, fromaddr, toaddr)) from direct_messages where marks <> 0',
  )
  await db.query('analyze direct_messages, reactions')
}

export const markedConversation: Case = {
  ...conversation,
  name: 'conversation-marked',
  about: 'the same, where each message is a reply with two reactions: see conversation',
  prepare: markAll,
}

const pollPath = ({ one, other, time }: Since): [string, string] => [one, `${whole([one, other])}/${time}`]

/** Polls with a last time that `newer` messages are newer than. */
export const poll = (name: string, about: string, newer: number): Case =>
  reading(name, about, since(newer), pollPath, (db, { one, other, time }) =>
    drain(db, findConversationSince(db, one, other, time, {})),
  )

/** Makes polls that find nothing, for cases that also do something else. */
export const polls = async (access: Access) => {
  const targets = await since(0)(access)
  return inTurn(
    targets.map((target) => get(access, ...pollPath(target))),
    'poll',
  )
}

export const inbox = (rows: InboxRows): Case =>
  reading(
    `inbox-${rows}`,
    `an inbox of ${rows} rows`,
    () => hubsOf(rows),
    (wallet) => [wallet, `/v1/get_inbox/${wallet}`],
    async (db, wallet) => drain(db, await findInbox(db, wallet)),
  )

const unread = (
  name: string,
  about: string,
  path: (wallet: string) => string,
  query: (db: Db, wallet: string) => Promise<unknown>,
  isPublic = false,
): Case =>
  reading(
    `unread-${name}`,
    `unread of a wallet with 200 inbox rows: ${about}`,
    () => hubsOf(200),
    (wallet) => [isPublic ? null : wallet, path(wallet)],
    query,
  )

const ofType = (type: string) => (db: Db, wallet: string) => countUnread(db, wallet, type)
const byType = (type: string) => (wallet: string) => `/v1/get_unread_cnt_by_type/${wallet}/${type}`
const token = [chatName(chats - 1), '0'] as const

/** These are all unread counts of the interface. */
export const unreadCounts: Case[] = [
  unread('all', 'everything', (wallet) => `/v1/get_unread_cnt/${wallet}`, ofType('all')),
  unread('total', 'everything, by its other path', (wallet) => `/v1/unreadcount/${wallet}`, ofType('all')),
  unread('dm', 'direct messages', byType('dm'), ofType('dm')),
  unread('nft', 'NFT chats', byType('nft'), ofType('nft')),
  unread('community', 'communities', byType('community'), ofType('community')),
  unread(
    'nfts',
    'NFT chats, by the other path',
    (wallet) => `/v1/get_unread_cnt_nft/${wallet}`,
    ofType('nft'),
  ),
  unread(
    'token',
    'about one NFT',
    (wallet) => `/v1/get_unread_cnt/${wallet}/${token.join('/')}`,
    (db, wallet) => countUnreadOfToken(db, wallet, ...token),
  ),
  unread(
    'chat',
    'one group chat, without a token',
    (wallet) => `/v1/get_groupchatitems_unreadcnt/${chatName(0)}/${wallet}`,
    (db, wallet) => getVisitor(db, wallet, chatName(0)),
    true,
  ),
  reading(
    'unread-pair',
    'unread in one conversation',
    deepPairs,
    ([one, other]) => [one, `/v1/get_unread_cnt/${one}/${other}`],
    (db, pair) => countUnreadFrom(db, ...pair),
  ),
]

/** One client reads a long history to its end; the others must not become slower. */
export const wholeConversation: Case = {
  name: 'whole',
  about: 'a conversation of 100,000 read whole by one, while 8 others poll',
  connections: 9,
  prepare: async ({ db, root }) =>
    (await loaderOf(root)).loadLongConversation((sql, values) => db.query(sql, values)),
  traffic: async (access) => {
    const bytes = await get(access, longPair[0], whole(longPair))
    return { ...(await polls(access)), pinned: { bytes, kind: 'whole' } }
  },
  baselines: [],
}
