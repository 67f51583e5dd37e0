import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { lastItem } from '../core/chat-item.ts'
import { lastPost, noPost } from '../core/chats.ts'
import { gathered, gatheredBytes } from '../core/gather.ts'
import type { JsonList } from '../core/json-list.ts'
import { taken } from '../core/taken.ts'
import type { Db } from '../db/connect.ts'
import { erasedBy, isPair, jsonNameOf } from '../db/fragments.ts'
import {
  jsonBoolean,
  jsonConstant,
  jsonEither,
  jsonMade,
  jsonNumber,
  jsonObject,
  jsonOrEmpty,
  jsonText,
} from '../db/json.ts'

/** The inbox of a wallet, newest first: one row for each conversation that has a message, and each chat it has joined. */
export async function findInbox(db: Db, wallet: string): Promise<JsonList<InboxItem>> {
  return { pages: taken(await inboxOf(db, [wallet])).map(({ items }) => items) }
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

const conversationRow = jsonObject(
  'm.id',
  jsonConstant('context_type', 'dm'),
  jsonConstant('type', 'message'),
  jsonConstant('chain', ''),
  jsonMade('m.item'),
  jsonBoolean('read', 'm.read'),
  jsonNumber('unread', 'c.unread'),
  jsonOrEmpty('sender_name', 'case when m.is_theirs then peer.name else own.name end'),
  jsonOrEmpty('name', 'peer.name'),
  jsonOrEmpty('logo', 'peer.logo'),
)

const chatRow = jsonObject(
  'coalesce(m.id, 0)',
  jsonEither('context_type', `c.context_type = 'nft'`, 'nft', 'community'),
  jsonEither('type', 'm.id is null', '', 'message'),
  jsonText('chain', 'c.chain'),
  jsonMade(`coalesce(m.item, ${noPost})`),
  jsonText('nftaddr', 'c.nftaddr'),
  jsonConstant('nftid', ''),
  jsonConstant('encrypted_sym_x_key', ''),
  jsonConstant('x_access_conditions', ''),
  jsonBoolean('read', 'c.unread = 0'),
  jsonNumber('unread', 'c.unread'),
  jsonOrEmpty('sender_name', jsonNameOf('m.fromaddr')),
  jsonOrEmpty('name', `case when c.context_type = 'nft' then shown.name else to_json(c.nftaddr)::text end`),
  jsonOrEmpty('logo', 'shown.logo'),
)

/** The last message of the conversation `c` whose copy is not fresh: one index probe, however long the history behind it. */
const lastMessage = `
  select m.id, ${lastItem('m.timestamp')} as item, m.read, m.fromaddr = c.peer as is_theirs, m.timestamp from (
    select * from direct_messages where not c.is_fresh and conversation_id = c.id and id > c.erased
    order by conversation_id desc, id desc limit 1
  ) m`

/** The same of a chat `c`, if it has a message. */
const lastPostOf = `
  select c.last_id as id, c.last_fromaddr as fromaddr, c.last_item as item, c.last_time as timestamp
  where c.is_fresh
  union all
  select m.id, m.fromaddr, ${lastPost('m.timestamp')}, m.timestamp from (
    select * from group_messages where not c.is_fresh and chat = c.chat order by chat desc, id desc limit 1
  ) m`

/** How an address or chat is shown, if it has a name or a picture. */
const profileOf = (address: string) => `select name, logo from profiles where address = ${address} limit 1`

// The probes order by their index's first column too, so that the planner keeps to it (see direct-messages/lists.ts).
const inboxRows = `
  select m.id, m.timestamp, ${conversationRow} as item
  from (
    select *, (last_item is not null and last_item_time = last_time and last_id > erased) as is_fresh
    from (${conversations(', id, last_id, last_item, last_read, last_time, last_item_time')}) c
  ) c
  left join lateral (${lastMessage}) found on true
  cross join lateral (
    select coalesce(found.id, c.last_id) as id, coalesce(found.item, c.last_item) as item,
      coalesce(found.read, c.last_read) as read, coalesce(found.is_theirs, c.last_is_theirs) as is_theirs,
      coalesce(found.timestamp, c.last_time) as timestamp
  ) m
  left join lateral (${profileOf('$1')}) own on true
  left join lateral (${profileOf('c.peer')}) peer on true
  where c.is_fresh or found.id is not null
  union all
  select coalesce(m.id, 0), m.timestamp, ${chatRow}
  from (
    select *, (last_item is not null and last_item_time = last_time) as is_fresh
    from (${joinedChats(', c.last_id, c.last_fromaddr, c.last_item, c.last_time, c.last_item_time')}) c
  ) c
  left join lateral (${lastPostOf}) m on true
  left join lateral (${profileOf(`case when c.context_type = 'nft' then c.nftaddr else c.chat end`)}) shown on true`

/** How many rows of an inbox come as one text: a megabyte in one would be copied several times on its way. */
const pageSize = 200

const inboxOf = gatheredBytes<'items'>(
  `
  with sorted as materialized (select item from (${inboxRows}) r order by timestamp desc nulls last, id desc)
  select (select string_agg(item, ',') from (select item from sorted limit ${pageSize} offset page * ${pageSize}) p) as items
  from generate_series(0, (select count(*) + ${pageSize} - 1 from sorted) / ${pageSize} - 1) page`,
  ['text'],
  'long',
)

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversations()}) c`
const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joinedChats()}) c where ${which}`

interface Count {
  count: number
}

const unreadOfType: Record<string, (db: Db, values: unknown[]) => Promise<Count[]>> = {
  dm: gathered(unreadDirect, ['text'], 'heavy'),
  nft: gathered(unreadInChats(`context_type = 'nft'`), ['text'], 'heavy'),
  community: gathered(unreadInChats(`context_type = 'community'`), ['text'], 'heavy'),
  all: gathered(`select (${unreadDirect}) + (${unreadInChats('true')}) as count`, ['text'], 'heavy'),
}

const unreadFrom = gathered<Count>(
  `select case when a = $1 then unread_a else unread_b end as count from conversations where ${isPair('$1', '$2')}`,
  ['text', 'text'],
)

const unreadOfToken = gathered<Count>(
  `select count(*) as count from direct_messages m join conversations c on c.id = m.conversation_id
   where m.toaddr = $1 and m.nftaddr = $2 and m.nftid = $3 and not m.read and m.id > ${erasedBy('$1')}`,
  ['text', 'text', 'text'],
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
