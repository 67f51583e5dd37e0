// This file has SQL of the rows of an inbox: one for each conversation that has a message, and each chat that the wallet $1 with
// the bucket $2 has joined. In a view of it, $4 is the time.

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
import { conversations, isShown } from '../../messages/conversations.ts'
import { lastItemPreview, optionalColumns } from '../../messages/direct-message.ts'
import { columnSeenBy } from '../../messages/versions.ts'
import { lastPostPreview, lastPostVersion, noPost } from '../../messages/group-message.ts'
import { jsonMutedUntil, jsonNameOf, type View } from '../../messages/shared-sql.ts'
import { isFresh } from '../../messages/columns.ts'
import { copiedConversations } from './copies-sql.ts'
import { isOpen, joinedChats, joinedChatsOfCluster } from './joined-chats.ts'

const readAndUnread = (isRead: string): Fields => [
  ...jsonEither(isRead, [',"read":true,"unread":'], [',"read":false,"unread":']),
  { sql: 'c.unread::text' },
]

const conversationRow = (more: Fields) =>
  jsonObject(
    'last.id',
    jsonConstant('context_type', 'dm'),
    jsonConstant('type', 'message'),
    jsonBlank('chain'),
    jsonMade('last.item'),
    readAndUnread('last.read'),
    jsonOrBlank('sender_name', `case when last.is_theirs then peer.name else ${jsonNameOf('$1')} end`),
    jsonOrBlank('name', 'peer.name'),
    jsonOrBlank('logo', 'peer.logo'),
    more,
  )

/** A row has these fields too where a view is requested. */
const inView: Fields = [
  ...jsonEither(
    'c.state = 1',
    [',"state":"accepted"'],
    jsonEither('c.state = 0', [',"state":"unknown"'], [',"state":"ignored"']),
  ),
  { sql: `coalesce(',"muted_until":' || ${jsonMutedUntil('muted.muted_until_ms')}, '')` },
]

const foundMessage = `m.id::text, m.ms::text, m.read::text, m.fromaddr, ${lastItemPreview}`

/** Selects rows `c` for which `which` holds. One that is not made from its copy may be long. */
export const conversationRows = (which = 'true', view?: View): string =>
  rowsOf(conversations(foundMessage, which, view), 'null::text', 'found is not null', view)

/** Does the same on a cluster, by copies by wallet. */
export const copiedRows = (which = 'true', view?: View): string =>
  rowsOf(copiedConversations(which, view), `'d' || c.peer`, `octet_length(last_item) > ${longItem}`, view)

/** A row is long when its copy by wallet has at least this many bytes. */
const longItem = 1024

const rowsOf = (from: string, key: string, isLong: string, view: View | undefined): string => `
  select last.id, last.ms, ${key} as key, ${isLong} as is_long, ${conversationRow(view ? inView : [])} as item
  from (${from} offset 0) c
  cross join lateral (
    select coalesce(found[1]::bigint, last_id) as id, coalesce(found[2]::bigint, last_ms) as ms,
      coalesce(found[5], last_item) as item, coalesce(found[3]::boolean, last_read) as read,
      coalesce(found[4] = peer, last_is_theirs) as is_theirs
  ) last
  left join lateral (select name, logo from profiles where address = c.peer limit 1) peer on true
  ${view ? 'left join muted on muted.peer = c.peer' : ''}
  where ${isShown(view, 'last.is_theirs')}`

/** Selects where each conversation stands in the inbox. */
export const conversationPlaces = (view?: View) => `
  select coalesce(found[1]::bigint, last_id) as id, coalesce(found[2]::bigint, last_ms) as ms, 'd' || c.peer as key
  from (${conversations('m.id::text, m.ms::text, m.fromaddr', 'true', view)} offset 0) c
  where ${isShown(view, 'coalesce(found[3] = peer, last_is_theirs)')}`

/** Does the same on a cluster. */
export const copiedPlaces = (view?: View) => `
  select last_id as id, last_ms as ms, 'd' || c.peer as key
  from (${copiedConversations('true', view)} offset 0) c where ${isShown(view, 'last_is_theirs')}`

/**
 * Spec gap: a chat that the wallet has joined and may not read looks like one without messages, and a room shows its key.
 */
const openChats = (joined: string, which: string) => `
  select bucket, chat, chain, nftaddr, case when is_open then title else nftaddr end as title,
    context_type, case when is_open then unread else 0 end as unread,
    case when is_open then last_ms end as last_ms, case when is_open then last_id end as last_id,
    case when is_open then last_fromaddr end as last_fromaddr, case when is_open then last_item end as last_item,
    copy_ms, copy_version, muted_until_ms, is_open, withheld_id
  from (select *, ${isOpen} as is_open from (${joined}) c where ${which}) c`

const chatRow = (more: Fields) =>
  jsonObject(
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
    jsonOrBlank('name', `case when c.context_type = 'nft' then shown.name else to_json(c.title)::text end`),
    jsonOrBlank('logo', 'shown.logo'),
    more,
  )

/** A row has these fields too where a view is requested. */
const chatInView: Fields = [
  {
    sql: `coalesce(case when c.muted_until_ms > $4 then ',"muted_until":' || ${jsonMutedUntil('c.muted_until_ms')} end, '')`,
  },
]

const columns = 'id, fromaddr, ms, removed_by, files'

const chats = (found: string, joined: string, fresh: string) => `
  select *, case when is_fresh then null else (
    select array[${found}]
    from (
      (select ${columns}, ${columnSeenBy('$1', 'message')} as message from group_messages m where bucket = c.bucket and chat = c.chat
       order by bucket desc, chat desc, id desc limit 1)
      union all
      (select ${columns}, message from withheld_posts
       where bucket = c.bucket and chat = c.chat and fromaddr = $1 and id = c.withheld_id)
    ) m order by id desc limit 1
  ) end as found
  from (select *, ${fresh} as is_fresh from (${joined}) c) c`

const foundPost = `m.id::text, m.ms::text, m.fromaddr, ${lastPostPreview}`

/** Says whether the statement checks which chats are open to the wallet: $3 has those that are not. */
export type Closed = 'none' | 'some'
/** A cluster always checks. */
type Chats = Closed | 'of-cluster'

/** This is true when the copy may be shown, and is newer than the withheld posts of the wallet. */
const isNewest = `${isFresh(lastPostVersion)} and c.last_id > c.withheld_id`

const joinedOf = (of: Chats, which: string): [joined: string, fresh: string] =>
  of === 'none'
    ? [`select * from (${joinedChats}) c where ${which}`, isNewest]
    : // no message of a closed chat is searched.
      [openChats(of === 'some' ? joinedChats : joinedChatsOfCluster, which), `(${isNewest}) or not c.is_open`]

/** Selects rows `c` for which `which` holds. */
export const chatRows = (of: Chats, which = 'true', view?: View): string => `
  select coalesce(last.id, 0) as id, last.ms, c.chat as key, found is not null as is_long,
    ${chatRow(view ? chatInView : [])} as item
  from (${chats(foundPost, ...joinedOf(of, which))} offset 0) c
  cross join lateral (
    select case when is_fresh then last_id else found[1]::bigint end as id,
      case when is_fresh then last_ms else found[2]::bigint end as ms,
      case when is_fresh then last_fromaddr else found[3] end as fromaddr,
      case when is_fresh then last_item else found[4] end as item
  ) last
  left join lateral (
    select name, logo from profiles where address = case when c.context_type = 'nft' then c.nftaddr else c.chat end limit 1
  ) shown on true`

/** Selects where each chat stands in the inbox. */
export const chatPlaces = (of: Chats): string => `
  select coalesce(case when is_fresh then last_id else found[1]::bigint end, 0) as id,
    case when is_fresh then last_ms else found[2]::bigint end as ms, 'c' || c.chat as key
  from (${chats('m.id::text, m.ms::text', ...joinedOf(of, 'true'))} offset 0) c`
