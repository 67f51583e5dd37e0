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
import { conversationsOf, jsonNameOf } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'
import { bookmarks, isOpen, joinedChats } from './joined-chats.ts'

/**
 * The inbox of a wallet, newest first: one row for each conversation that has a message, and each
 * chat it has joined. Of closed chats, which it may not read, there is nothing but the bookmark.
 */
export async function findInbox(db: Db, wallet: string, closed: string[] = []): Promise<JsonList<InboxItem>> {
  const pages =
    closed.length === 0
      ? await inboxOf(db, [wallet, walletBucket(wallet)])
      : await inboxBesides(db, [wallet, walletBucket(wallet), closed.join(' ')])
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

// Both lists read the copy of the last message where it is fresh, and else search the message: one
// index probe, however long the history is. The probe orders by its index's first column too, so
// that the planner keeps to that index (direct-messages/lists.ts). Its answer is an array, because
// the nodes of a cluster have other types of rows. All this stands in a subquery with `offset 0`:
// so the planner does not repeat the probe wherever its answer is used, and a cluster adds names
// and pictures where the rows of all nodes come together.

const conversations = `
  select *, case when is_fresh then null else (
    select array[m.id::text, m.ms::text, m.read::text, m.fromaddr, ${lastItem('m.ms')}]
    from direct_messages m where bucket = c.bucket and conversation_id = c.id and id > c.erased
    order by bucket desc, conversation_id desc, id desc limit 1
  ) end as found
  from (
    select *, ${isFresh(lastItemVersion)} and c.last_id > c.erased as is_fresh
    from (${conversationsOf('$1')}) c
  ) c`

const conversationRows = `
  select last.id, last.ms, ${conversationRow} as item
  from (${conversations} offset 0) c
  cross join lateral (
    select coalesce(found[1]::bigint, last_id) as id, coalesce(found[2]::bigint, last_ms) as ms,
      coalesce(found[5], last_item) as item, coalesce(found[3]::boolean, last_read) as read,
      coalesce(found[4] = peer, last_is_theirs) as is_theirs
  ) last
  left join lateral (select name, logo from profiles where address = $1 limit 1) own on true
  left join lateral (select name, logo from profiles where address = c.peer limit 1) peer on true
  where c.is_fresh or c.found is not null`

/**
 * Spec gap: a chat that the wallet has joined and may not read looks like one without messages.
 */
const openChats = `
  select bucket, chat, chain, nftaddr, context_type, case when is_open then unread else 0 end as unread,
    case when is_open then last_ms end as last_ms, case when is_open then last_id end as last_id,
    case when is_open then last_fromaddr end as last_fromaddr, case when is_open then last_item end as last_item,
    copy_ms, copy_version, is_open
  from (select *, ${isOpen} as is_open from (${joinedChats}) c) c`

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

const chats = (joined: string, fresh: string) => `
  select *, case when is_fresh then null else (
    select array[m.id::text, m.ms::text, m.fromaddr, ${lastPost('m.ms')}]
    from group_messages m where bucket = c.bucket and chat = c.chat
    order by bucket desc, chat desc, id desc limit 1
  ) end as found
  from (select *, ${fresh} as is_fresh from (${joined}) c) c`

const chatRows = (joined: string, fresh = isFresh(lastPostVersion)) => `
  select coalesce(last.id, 0), last.ms, ${chatRow} as item
  from (${chats(joined, fresh)} offset 0) c
  cross join lateral (
    select case when is_fresh then last_id else found[1]::bigint end as id,
      case when is_fresh then last_ms else found[2]::bigint end as ms,
      case when is_fresh then last_fromaddr else found[3] end as fromaddr,
      case when is_fresh then last_item else found[4] end as item
  ) last
  left join lateral (
    select name, logo from profiles where address = case when c.context_type = 'nft' then c.nftaddr else c.chat end limit 1
  ) shown on true`

/**
 * How many rows of an inbox come as one text: a megabyte in one would be copied several times on
 * its way.
 */
const pageSize = 200

const inboxWith = (ofChats: string) => `
  with ${bookmarks}, sorted as materialized (
    select item from (${conversationRows} union all ${ofChats}) r order by ms desc nulls last, id desc
  )
  select (select string_agg(item, ',') from (select item from sorted limit ${pageSize} offset page * ${pageSize}) p) as items
  from generate_series(0, (select count(*) + ${pageSize} - 1 from sorted) / ${pageSize} - 1) page`

const inboxOf = coalesced<{ items: Buffer }>(inboxWith(chatRows(joinedChats)), ['text', 'integer'], {
  atOnce: 8,
  as: 'bytes',
})

// Of a closed chat no message is searched.
const inboxBesides = coalesced<{ items: Buffer }>(
  inboxWith(chatRows(openChats, `(${isFresh(lastPostVersion)}) or not c.is_open`)),
  ['text', 'integer', 'text'],
  { atOnce: 8, as: 'bytes' },
)
