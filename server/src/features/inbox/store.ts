import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { coalesced } from '../../db/coalesce.ts'
import {
  type Fields,
  jsonBlank,
  jsonConstant,
  jsonEither,
  jsonMade,
  jsonObject,
  jsonOrBlank,
  jsonText,
} from '../../db/json.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { lastItem, lastItemVersion, optionalColumns } from '../../messages/direct-message.ts'
import { lastPost, lastPostVersion, noPost } from '../../messages/group-message.ts'
import { isFresh } from '../../messages/storing.ts'
import { conversationsOf, erasedBy, isPair, jsonNameOf, unreadInChat } from '../../messages/shared-sql.ts'

/**
 * The inbox of a wallet, newest first: one row for each conversation that has a message, and each
 * chat it has joined.
 */
export async function findInbox(db: Db, wallet: string): Promise<JsonList<InboxItem>> {
  const pages = await inboxOf(db, [wallet])
  return { pages: pages.map(({ items }) => items) }
}

const readAndUnread = (isRead: string): Fields => [
  ...jsonEither(isRead, [',"read":true,"unread":'], [',"read":false,"unread":']),
  { sql: 'c.unread::text' },
]

const conversationRow = jsonObject(
  'last.id',
  jsonConstant('context_type', 'dm'),
  jsonConstant('type', 'message'),
  jsonBlank('chain'),
  jsonMade('last.item'),
  readAndUnread('last.read'),
  jsonOrBlank('sender_name', 'case when last.is_theirs then peer.name else own.name end'),
  jsonOrBlank('name', 'peer.name'),
  jsonOrBlank('logo', 'peer.logo'),
)

// Both statements read the copy of the last message where it is fresh, and else search the message:
// one index probe, however long the history is. The probe orders by its index's first column too,
// so that the planner keeps to that index (direct-messages/lists.ts), and stands in a subquery with
// `offset 0`, so that the planner does not repeat it wherever its answer is used.

const conversations = `
  select last.id, last.timestamp, ${conversationRow} as item
  from (
    select *, case when is_fresh then null else (
      select m from direct_messages m where conversation_id = c.id and id > c.erased
      order by conversation_id desc, id desc limit 1
    ) end as found
    from (
      select *, ${isFresh(lastItemVersion)} and c.last_id > c.erased as is_fresh
      from (${conversationsOf('$1')}) c
    ) c offset 0
  ) c
  cross join lateral (select (c.found).*) m
  cross join lateral (
    select coalesce(m.id, c.last_id) as id, coalesce(m.timestamp, c.last_time) as timestamp,
      case when c.is_fresh then c.last_item else ${lastItem('m.timestamp')} end as item,
      coalesce(m.read, c.last_read) as read, coalesce(m.fromaddr = c.peer, c.last_is_theirs) as is_theirs
  ) last
  left join lateral (select name, logo from profiles where address = $1 limit 1) own on true
  left join lateral (select name, logo from profiles where address = c.peer limit 1) peer on true
  where c.is_fresh or m.id is not null`

/** The chats that the wallet $1 has joined, with what it has not read of them. */
const joinedChats = `
  select b.chat, b.chain, coalesce(c.nftaddr, b.nftaddr) as nftaddr, coalesce(c.context_type, 'nft') as context_type,
    coalesce(${unreadInChat}, 0) as unread,
    c.last_time, c.last_id, c.last_fromaddr, c.last_item, c.copy_time, c.copy_version
  from bookmarks b
  left join lateral (select * from group_chats where chat = b.chat limit 1) c on true
  left join lateral (select * from group_visits where walletaddr = $1 and chat = b.chat limit 1) v on true
  where b.walletaddr = $1`

const chatRow = jsonObject(
  'coalesce(last.id, 0)',
  jsonEither(
    `c.context_type = 'nft'`,
    jsonConstant('context_type', 'nft'),
    jsonConstant('context_type', 'community'),
  ),
  jsonEither('last.id is null', jsonBlank('type'), jsonConstant('type', 'message')),
  jsonText('chain', 'c.chain'),
  jsonMade(`coalesce(last.item, ${noPost})`),
  jsonText('nftaddr', 'c.nftaddr'),
  ...optionalColumns.filter((name) => name !== 'nftaddr').map(jsonBlank),
  readAndUnread('c.unread = 0'),
  jsonOrBlank('sender_name', jsonNameOf('last.fromaddr')),
  jsonOrBlank('name', `case when c.context_type = 'nft' then shown.name else to_json(c.nftaddr)::text end`),
  jsonOrBlank('logo', 'shown.logo'),
)

const chats = `
  select coalesce(last.id, 0), last.timestamp, ${chatRow} as item
  from (
    select *, case when is_fresh then null else (
      select m from group_messages m where chat = c.chat order by chat desc, id desc limit 1
    ) end as found
    from (select *, ${isFresh(lastPostVersion)} as is_fresh from (${joinedChats}) c) c offset 0
  ) c
  cross join lateral (select (c.found).*) m
  cross join lateral (
    select case when c.is_fresh then c.last_id else m.id end as id,
      case when c.is_fresh then c.last_time else m.timestamp end as timestamp,
      case when c.is_fresh then c.last_fromaddr else m.fromaddr end as fromaddr,
      case when c.is_fresh then c.last_item when m.id is not null then ${lastPost('m.timestamp')} end as item
  ) last
  left join lateral (
    select name, logo from profiles where address = case when c.context_type = 'nft' then c.nftaddr else c.chat end limit 1
  ) shown on true`

/**
 * How many rows of an inbox come as one text: a megabyte in one would be copied several times on
 * its way.
 */
const pageSize = 200

const inboxOf = coalesced<{ items: Buffer }>(
  `
  with sorted as materialized (
    select item from (${conversations} union all ${chats}) r order by timestamp desc nulls last, id desc
  )
  select (select string_agg(item, ',') from (select item from sorted limit ${pageSize} offset page * ${pageSize}) p) as items
  from generate_series(0, (select count(*) + ${pageSize} - 1 from sorted) / ${pageSize} - 1) page`,
  ['text'],
  { atOnce: 8, as: 'bytes' },
)

interface Count {
  count: number
}

const countReading = (sql: string) => coalesced<Count>(sql, ['text'], { atOnce: 8, inFlight: 4 })

const unreadDirect = `select coalesce(sum(unread), 0)::bigint as count from (${conversationsOf('$1')}) c`
const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joinedChats}) c where ${which}`

const unreadOfType: Record<string, (db: Db, values: unknown[]) => Promise<Count[]>> = {
  dm: countReading(unreadDirect),
  nft: countReading(unreadInChats(`context_type = 'nft'`)),
  community: countReading(unreadInChats(`context_type = 'community'`)),
  all: countReading(`select (${unreadDirect}) + (${unreadInChats('true')}) as count`),
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
