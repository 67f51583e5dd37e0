import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { lastItem } from '../../messages/direct-message.ts'
import { lastPost, noPost } from '../../messages/group-message.ts'
import { coalesced } from '../../db/coalesce.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { erasedBy, isPair, jsonNameOf } from '../../messages/shared-sql.ts'
import {
  jsonConstant,
  jsonEither,
  jsonMade,
  jsonObject,
  jsonOrEmpty,
  jsonText,
  type Part,
} from '../../db/json.ts'

/** The inbox of a wallet, newest first: one row for each conversation that has a message, and each chat it has joined. */
export async function findInbox(db: Db, wallet: string): Promise<JsonList<InboxItem>> {
  const pages = await inboxOf(db, [wallet])
  return { pages: pages.map(({ items }) => items) }
}

/** A wallet's conversations, from whichever end of the pair it is. */
const conversations = (columns = '') => `
  select b as peer, unread_a as unread, erased_a as erased, not last_is_from_a as last_is_theirs${columns}
  from conversations where a = $1
  union all
  select a, unread_b, erased_b, last_is_from_a${columns}
  from conversations where b = $1 and a <> $1`

/** The group chats a wallet has joined. Its own messages are never unread for it. */
const joinedChats = (columns = '') => `
  select b.chat, b.chain, coalesce(c.nftaddr, b.nftaddr) as nftaddr, coalesce(c.context_type, 'nft') as context_type,
    coalesce(c.posted - coalesce(v.seen, 0) - (coalesce(v.posted, 0) - coalesce(v.seen_own, 0)), 0) as unread${columns}
  from bookmarks b
  left join lateral (select * from group_chats where chat = b.chat limit 1) c on true
  left join lateral (select * from group_visits where walletaddr = $1 and chat = b.chat limit 1) v on true
  where b.walletaddr = $1`

const readAndUnread = (read: string): Part => [
  ...jsonEither(read, [',"read":true,"unread":'], [',"read":false,"unread":']),
  { sql: 'c.unread::text' },
]

const conversationRow = jsonObject(
  'last.id',
  jsonConstant('context_type', 'dm'),
  jsonConstant('type', 'message'),
  jsonConstant('chain', ''),
  jsonMade('last.item'),
  readAndUnread('last.read'),
  jsonOrEmpty('sender_name', 'case when last.is_theirs then peer.name else own.name end'),
  jsonOrEmpty('name', 'peer.name'),
  jsonOrEmpty('logo', 'peer.logo'),
)

const ofType = (type: string) => jsonConstant('context_type', type)

const chatRow = jsonObject(
  'coalesce(last.id, 0)',
  jsonEither(`c.context_type = 'nft'`, ofType('nft'), ofType('community')),
  jsonEither('last.id is null', jsonConstant('type', ''), jsonConstant('type', 'message')),
  jsonText('chain', 'c.chain'),
  jsonMade(`coalesce(last.item, ${noPost})`),
  jsonText('nftaddr', 'c.nftaddr'),
  jsonConstant('nftid', ''),
  jsonConstant('encrypted_sym_x_key', ''),
  jsonConstant('x_access_conditions', ''),
  readAndUnread('c.unread = 0'),
  jsonOrEmpty('sender_name', jsonNameOf('last.fromaddr')),
  jsonOrEmpty('name', `case when c.context_type = 'nft' then shown.name else to_json(c.nftaddr)::text end`),
  jsonOrEmpty('logo', 'shown.logo'),
)

/** The last message of the conversation `c` whose copy is not fresh: one index probe, however long the history behind it. */
const lastMessage = `
  select m from direct_messages m where conversation_id = c.id and id > c.erased
  order by conversation_id desc, id desc limit 1`

/** The same of a chat `c`, if it has a message. */
const lastPostOf = `select m from group_messages m where chat = c.chat order by chat desc, id desc limit 1`

const hasCopy = 'last_item is not null and last_item_time = last_time'

/** How an address or chat is shown, if it has a name or a picture. */
const profileOf = (address: string) => `select name, logo from profiles where address = ${address} limit 1`

/**
 * Rows `c` with whether the copy of their last message is fresh, and the message `m` that `probe` finds where it is not. The
 * probe is fenced off (`offset 0`), so that the planner does not repeat it wherever its answer is used.
 */
const withLast = (rows: string, isFresh: string, probe: string) => `
  (
    select *, case when is_fresh then null else (${probe}) end as found
    from (select *, (${isFresh}) as is_fresh from (${rows}) c) c offset 0
  ) c
  cross join lateral (select (c.found).*) m`

// The probes order by their index's first column too, so that the planner keeps to it (see direct-messages/lists.ts).
const inboxRows = `
  select last.id, last.timestamp, ${conversationRow} as item
  from ${withLast(
    conversations(', id, last_id, last_item, last_read, last_time, last_item_time'),
    `${hasCopy} and last_id > erased`,
    lastMessage,
  )}
  cross join lateral (
    select coalesce(m.id, c.last_id) as id, coalesce(m.timestamp, c.last_time) as timestamp,
      case when c.is_fresh then c.last_item else ${lastItem('m.timestamp')} end as item,
      coalesce(m.read, c.last_read) as read, coalesce(m.fromaddr = c.peer, c.last_is_theirs) as is_theirs
  ) last
  left join lateral (${profileOf('$1')}) own on true
  left join lateral (${profileOf('c.peer')}) peer on true
  where c.is_fresh or m.id is not null
  union all
  select coalesce(last.id, 0), last.timestamp, ${chatRow}
  from ${withLast(
    joinedChats(', c.last_id, c.last_fromaddr, c.last_item, c.last_time, c.last_item_time'),
    hasCopy,
    lastPostOf,
  )}
  cross join lateral (
    select case when c.is_fresh then c.last_id else m.id end as id,
      case when c.is_fresh then c.last_time else m.timestamp end as timestamp,
      case when c.is_fresh then c.last_fromaddr else m.fromaddr end as fromaddr,
      case when c.is_fresh then c.last_item when m.id is not null then ${lastPost('m.timestamp')} end as item
  ) last
  left join lateral (${profileOf(`case when c.context_type = 'nft' then c.nftaddr else c.chat end`)}) shown on true`

/** How many rows of an inbox come as one text: a megabyte in one would be copied several times on its way. */
const pageSize = 200

const inboxOf = coalesced<{ items: Buffer }>(
  `
  with sorted as materialized (select item from (${inboxRows}) r order by timestamp desc nulls last, id desc)
  select (select string_agg(item, ',') from (select item from sorted limit ${pageSize} offset page * ${pageSize}) p) as items
  from generate_series(0, (select count(*) + ${pageSize} - 1 from sorted) / ${pageSize} - 1) page`,
  ['text'],
  { atOnce: 8, as: 'bytes' },
)

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversations()}) c`
const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joinedChats()}) c where ${which}`

const heavy = { atOnce: 8, inFlight: 4 }

interface Count {
  count: number
}

const unreadOfType: Record<string, (db: Db, values: unknown[]) => Promise<Count[]>> = {
  dm: coalesced(unreadDirect, ['text'], heavy),
  nft: coalesced(unreadInChats(`context_type = 'nft'`), ['text'], heavy),
  community: coalesced(unreadInChats(`context_type = 'community'`), ['text'], heavy),
  all: coalesced(`select (${unreadDirect}) + (${unreadInChats('true')}) as count`, ['text'], heavy),
}

const unreadFrom = coalesced<Count>(
  `select case when a = $1 then unread_a else unread_b end as count from conversations where ${isPair('$1', '$2')}`,
  ['text', 'text'],
  { atOnce: 32 },
)

const unreadOfToken = coalesced<Count>(
  `select count(*) as count from direct_messages m join conversations c on c.id = m.conversation_id
   where m.toaddr = $1 and m.nftaddr = $2 and m.nftid = $3 and not m.read and m.id > ${erasedBy('$1')}`,
  ['text', 'text', 'text'],
  { atOnce: 32 },
)

const countOf = async (found: Promise<Count[]>) => (await found)[0]?.count ?? 0

/** Unread messages of a wallet, of one kind or all. */
export const countUnread = (db: Db, wallet: string, type: string) =>
  countOf(unreadOfType[type]!(db, [wallet]))

/** What `wallet` has not read of what `peer` sent. */
export const countUnreadFrom = (db: Db, wallet: string, peer: string) =>
  countOf(unreadFrom(db, [wallet, peer]))

export const countUnreadOfToken = (db: Db, wallet: string, nftaddr: string, nftid: string) =>
  countOf(unreadOfToken(db, [wallet, nftaddr, nftid]))
