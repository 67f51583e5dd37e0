import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { lastItem } from '../core/chat-item.ts'
import { lastPost, noPost } from '../core/chats.ts'
import { gathered } from '../core/gather.ts'
import type { JsonList } from '../core/json-list.ts'
import { taken } from '../core/taken.ts'
import type { Db } from '../db/connect.ts'
import { erasedBy, isPair, logoIfAny, nameIfAny } from '../db/fragments.ts'
import {
  jsonBoolean,
  jsonConstant,
  jsonMade,
  jsonNumber,
  jsonObject,
  jsonText,
  jsonTextOrEmpty,
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
  jsonTextOrEmpty('sender_name', 'case when m.is_theirs then n.name else own.name end'),
  jsonTextOrEmpty('name', 'n.name'),
  jsonTextOrEmpty('logo', 'i.thumbnail'),
)

const chatRow = jsonObject(
  'coalesce(m.id, 0)',
  jsonText('context_type', 'c.context_type'),
  jsonText('type', `case when m.id is null then '' else 'message' end`),
  jsonText('chain', 'c.chain'),
  jsonMade(`coalesce(m.item, ${noPost})`),
  jsonText('nftaddr', 'c.nftaddr'),
  jsonConstant('nftid', ''),
  jsonConstant('encrypted_sym_x_key', ''),
  jsonConstant('x_access_conditions', ''),
  jsonBoolean('read', 'c.unread = 0'),
  jsonNumber('unread', 'c.unread'),
  jsonTextOrEmpty('sender_name', nameIfAny('m.fromaddr')),
  jsonTextOrEmpty(
    'name',
    `case when c.context_type = 'community' then c.nftaddr else ${nameIfAny('c.nftaddr')} end`,
  ),
  jsonTextOrEmpty('logo', logoIfAny(`case when c.context_type = 'community' then c.chat else c.nftaddr end`)),
)

/** The last message of the conversation `c`: its copy, or else one index probe, however long the history behind it. */
const lastMessage = `
  select c.last_id as id, c.last_item as item, c.last_read as read, c.last_is_theirs as is_theirs, c.last_time as timestamp
  where c.is_fresh
  union all
  select m.id, ${lastItem('m.timestamp')}, m.read, m.fromaddr = c.peer, m.timestamp from (
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

// The probes order by their index's first column too, so that the planner keeps to it (see direct-messages/lists.ts).
const inboxRows = `
  select m.id, m.timestamp, ${conversationRow} as item
  from (
    select *, (last_item is not null and last_item_time = last_time and last_id > erased) as is_fresh
    from (${conversations(', id, last_id, last_item, last_read, last_time, last_item_time')}) c
  ) c
  cross join lateral (${lastMessage}) m
  left join lateral (select name from names where address = $1 limit 1) own on true
  left join lateral (select name from names where address = c.peer limit 1) n on true
  left join lateral (select thumbnail from images where addr = c.peer limit 1) i on true
  union all
  select coalesce(m.id, 0), m.timestamp, ${chatRow}
  from (
    select *, (last_item is not null and last_item_time = last_time) as is_fresh
    from (${joinedChats(', c.last_id, c.last_fromaddr, c.last_item, c.last_time, c.last_item_time')}) c
  ) c
  left join lateral (${lastPostOf}) m on true`

/** How many rows of an inbox come as one text: a megabyte in one would be copied several times on its way. */
const pageSize = 200

const inboxOf = gathered<{ items: string }>(
  `
  select string_agg(item, ',' order by place) as items
  from (
    select item, row_number() over (order by timestamp desc nulls last, id desc) - 1 as place from (${inboxRows}) r
  ) r
  group by place / ${pageSize} order by place / ${pageSize}`,
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
