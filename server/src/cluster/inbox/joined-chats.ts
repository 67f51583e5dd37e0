// This file has SQL of the chats that a wallet has joined, for its inbox and its counts.

import { chatTitle, joinedTitle, joinRoom } from '../../messages/chat-title.ts'
import { mutedUntil, unreadInChat } from '../../messages/shared-sql.ts'

const bookmarked = (how: 'materialized' | 'not materialized') => `
  bookmarked as ${how} (
    select bucket, chat, chain, ${mutedUntil('b', '$1', '$2')} as muted_until_ms
    from bookmarks b where wbucket = $2 and walletaddr = $1)`

/** Selects the bookmarks of the wallet $1 with the bucket $2. On one machine only what is used of them is computed. */
export const bookmarks = bookmarked('not materialized')
/** Does the same on a cluster, where they do not lie with the chats. */
export const bookmarksOfCluster = bookmarked('materialized')

export const hasJoinedChats = 'exists (select 1 from bookmarks where wbucket = $2 and walletaddr = $1)'

/** The keys of closed chats are one text, because coalesced reads have their values in arrays. */
export const isOpenIn = (closed: string) => `chat <> all(string_to_array(${closed}, ' '))`
export const isOpen = isOpenIn('$3')

const joined = (title: string, joinTitle = '') => `
  select c.bucket, c.chat, b.chain, c.nftaddr, ${title} as title, c.context_type, ${unreadInChat} as unread,
    c.last_ms, c.last_id, c.last_fromaddr, c.last_item, c.copy_ms, c.copy_version, b.muted_until_ms,
    coalesce(v.withheld_id, 0) as withheld_id
  from bookmarked b join group_chats c on c.bucket = b.bucket and c.chat = b.chat
  left join group_visits v on v.bucket = c.bucket and v.chat = c.chat and v.walletaddr = $1
  ${joinTitle}`

/** Selects the joined chats, with what the wallet has not read in them. Each has had a row since the wallet joined. */
export const joinedChats = joined(chatTitle('c.bucket'))
export const joinedChatsOfCluster = joined(joinedTitle, joinRoom)

/** Counts what the wallet has not read in the chats that it has joined. */
export const unreadInChats = (which: string) =>
  `select coalesce(sum(unread), 0)::bigint as count from (${joined('null')}) c where ${which}`
