// Reads messages as lists show them to a wallet: here it is decided what a search may show.

import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import type { Db } from '../../db/pool.ts'
import { chatItemFor } from '../../messages/direct-message.ts'
import { groupChatItemSeenBy, isHeld } from '../../messages/group-message.ts'
import { postMarks } from '../../messages/marks.ts'
import { erasedBy, isBlockedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId } from '../../values/bucket.ts'
import { forLayouts, groupsOf } from './chat-groups.ts'

// By the index on ids: with their buckets the planner may read all messages of those.
const direct = `
  select (${chatItemFor('$1', 'm.bucket')})::json as item
  from direct_messages m
  join conversations c on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
  where m.id = any($2::bigint[]) and $1 in (m.fromaddr, m.toaddr) and ${notHiddenFrom('$1')}
    and not ${isBlockedBy('$1')} and m.encrypted_sym_x_key is null`

// The columns that both kinds of posts have.
const columns = 'bucket, chat, id, fromaddr, message, ms, removed_by, marks, reply_to, rev, edited_ms, files'
const posts = forLayouts(({ any, isOne }) => {
  // One machine takes the index on ids, as above.
  const isAsked = `${isOne ? 'bucket = $1 and ' : ''}id = any($3::bigint[]) and chat = any($2::text[]) and removed_by is null`
  return `
  select (${groupChatItemSeenBy('$4', 'c', isHeld, postMarks('$4', isOne ? '$1' : 'm.bucket'))})::json as item from (
    select ${columns}, own, reacted, false as held from group_messages where ${isAsked}
    union all
    select ${columns}, null::jsonb, null::text, held from withheld_posts where ${isAsked} and fromaddr = $4
  ) m join group_chats c on c.bucket = m.bucket and c.chat = m.chat
  where c.bucket = ${any}`
})

/** Returns the direct messages among some ids that a wallet sees. */
export async function readDirect(db: Db, wallet: string, ids: readonly number[]): Promise<ChatItem[]> {
  const rows = await db.query<{ item: ChatItem }>(direct, [wallet, ids])
  return rows.map((row) => row.item)
}

/** Returns the posts of some chats among some ids that a wallet sees. */
export async function readPosts(
  db: Db,
  wallet: string,
  ids: readonly number[],
  chats: readonly string[],
): Promise<GroupChatItem[]> {
  const rows = await Promise.all(
    groupsOf(db, chats).flatMap(({ bucket, chats: some, layout }) => {
      const ofGroup = typeof bucket === 'number' ? ids.filter((id) => bucketOfId(id) === bucket) : ids
      if (ofGroup.length === 0) return []
      return [db.query<{ item: GroupChatItem }>(posts[layout], [bucket, some, ofGroup, wallet])]
    }),
  )
  return rows.flat().map((row) => row.item)
}
