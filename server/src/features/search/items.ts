// Reads messages as lists show them to a wallet: here it is decided what a search may show.

import type { ChatItem } from '@parley/sdk/contract/direct-messages.ts'
import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import type { Db } from '../../db/pool.ts'
import { chatItemFor } from '../../messages/direct-message.ts'
import { groupChatItemSeenBy, isHeld } from '../../messages/group-message.ts'
import { postMarks } from '../../messages/marks.ts'
import { erasedBy, isBlockedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId, chatBucket } from '../../values/bucket.ts'

const direct = `
  select (${chatItemFor('$1', 'm.bucket')})::json as item
  from direct_messages m
  join conversations c on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
  where m.bucket = any($2::integer[]) and m.id = any($3::bigint[]) and $1 in (m.fromaddr, m.toaddr) and ${notHiddenFrom('$1')}
    and not ${isBlockedBy('$1')} and m.encrypted_sym_x_key is null`

// The columns that both kinds of posts have.
const columns = 'bucket, chat, id, fromaddr, message, ms, removed_by, marks, reply_to, rev, edited_ms, files'
const isAsked = 'bucket = $2 and id = any($3::bigint[]) and chat = any($4::text[]) and removed_by is null'
const item = groupChatItemSeenBy('$1', 'c', isHeld, postMarks('$1', '$2'))
// A cluster reads these in one bucket.
const ofRows = (rows: string) => `
  select (${item})::json as item from (${rows}) m join group_chats c on c.bucket = m.bucket and c.chat = m.chat
  where c.bucket = $2`
const posts = ofRows(`select ${columns}, own, reacted, false as held from group_messages where ${isAsked}`)
const withheld = ofRows(
  `select ${columns}, null::jsonb as own, null::text as reacted, held from withheld_posts where ${isAsked} and fromaddr = $1`,
)

const bucketsOf = (ids: readonly number[]) => [...new Set(ids.map(bucketOfId))]

/** Returns the direct messages among some ids that a wallet sees. */
export async function readDirect(db: Db, wallet: string, ids: readonly number[]): Promise<ChatItem[]> {
  const rows = await db.query<{ item: ChatItem }>(direct, [wallet, bucketsOf(ids), ids])
  return rows.map((row) => row.item)
}

/** Returns the posts of some chats among some ids that a wallet sees. */
export async function readPosts(
  db: Db,
  wallet: string,
  ids: readonly number[],
  chats: readonly string[],
): Promise<GroupChatItem[]> {
  const inBuckets = new Set(chats.map(chatBucket))
  const rows = await Promise.all(
    [...Map.groupBy(ids, bucketOfId)]
      .filter(([bucket]) => inBuckets.has(bucket))
      .flatMap(([bucket, some]) =>
        [posts, withheld].map((statement) =>
          db.query<{ item: GroupChatItem }>(statement, [wallet, bucket, some, chats]),
        ),
      ),
  )
  return rows.flat().map((row) => row.item)
}
