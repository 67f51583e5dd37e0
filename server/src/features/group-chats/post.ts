import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { batched } from '../../db/batch.ts'
import { copyOf } from '../../messages/direct-message.ts'
import type { Chat } from '../../messages/chat-key.ts'
import { lastPost } from '../../messages/group-message.ts'
import { refusingCrowds } from '../../messages/crowd.ts'
import type { Db } from '../../db/pool.ts'
import { instant, nameOf } from '../../messages/shared-sql.ts'

export interface Post extends Chat {
  fromaddr: string
  message: string
}

/**
 * Stores a message in a group chat, together with others that arrive meanwhile. It writes the chat's row and the
 * sender's, none for other members. Refused with 429 when the chat's time runs ahead of the clock.
 */
export async function insertPost(db: Db, post: Post): Promise<GroupChatItem> {
  const { n: _, ...item } = await insertTogether(db, post)
  return {
    ...item,
    fromaddr: post.fromaddr,
    message: post.message,
    type: 'message',
    timestamp_dtm: item.timestamp,
  }
}

interface Stored extends Pick<
  GroupChatItem,
  'id' | 'nftaddr' | 'context_type' | 'sender_name' | 'timestamp'
> {
  n: number
}

async function insertPosts(db: Db, posts: Post[]): Promise<(Stored | undefined)[]> {
  const stored = await db.query<Stored>(insertBatch, [
    posts.map(({ chat }) => chat),
    posts.map(({ nftaddr }) => nftaddr),
    posts.map(({ context_type }) => context_type),
    posts.map(({ fromaddr }) => fromaddr),
    posts.map(({ message }) => message),
  ])
  const byNumber = new Map(stored.map((row) => [row.n, row]))
  return posts.map((_, i) => byNumber.get(i + 1))
}

const insertTogether = refusingCrowds(
  batched(insertPosts, { inFlight: 2, size: 128, waitsFor: 'rows' }),
  'chat',
  ({ chat }) => chat,
)

// As with direct messages (direct-messages/send.ts): one statement per batch; each chat's row is locked in the order of
// chats and moved on by as many milliseconds as it gets messages, and its lock held until the commit.
// As there, too, a chat's only message of a batch is copied to the chat's row for inboxes, unless it is long.
// Spec gap: a chat whose time would run more than two seconds ahead is left untouched and its messages are not stored.
const insertBatch = `
  with input as (
    select *, row_number() over (partition by chat order by n) as place
    from unnest($1::text[] collate "C", $2::text[], $3::text[], $4::text[] collate "C", $5::text[])
      with ordinality as i (chat, nftaddr, context_type, fromaddr, message, n)
  ), now as (
    select date_trunc('milliseconds', clock_timestamp()) as now
  ), total as (
    select chat, min(nftaddr) as nftaddr, min(context_type) as context_type, count(*) as sent, min(fromaddr) as fromaddr,
      case when count(*) = 1 then max(${lastPost('now')}) end as item
    from input m, now group by chat order by chat
  ), moved as (
    insert into group_chats as c (chat, nftaddr, context_type, last_time, posted, last_id, last_fromaddr, last_item, last_item_time)
    select chat, nftaddr, context_type, now.now + (sent - 1) * interval '1 ms', sent,
      case when sent = 1 then nextval('item_ids') end, fromaddr, ${copyOf('item')}, now.now
    from total, now order by chat
    on conflict (chat) do update set
      last_time = greatest(excluded.last_time, c.last_time + (excluded.last_time - (select now from now)) + interval '1 ms'),
      posted = c.posted + excluded.posted,
      last_id = case when excluded.last_id is not null then nextval('item_ids') end,
      last_fromaddr = excluded.last_fromaddr,
      last_item = excluded.last_item,
      last_item_time = excluded.last_time
    where c.last_time + (excluded.last_time - (select now from now)) < (select now from now) + interval '2 s'
    returning chat, nftaddr, context_type, last_time, last_id
  ), numbered as (
    select coalesce(last_id, nextval('item_ids')) as id, ordered.* from (
      select i.n, i.chat, i.fromaddr, i.message, moved.nftaddr, moved.context_type, moved.last_id,
        moved.last_time - (total.sent - i.place) * interval '1 ms' as timestamp
      from input i join total using (chat) join moved using (chat) order by n
    ) ordered
  ), visited as (
    insert into group_visits as v (walletaddr, chat, posted)
    select fromaddr, chat, count(*) from numbered group by fromaddr, chat order by chat, fromaddr
    on conflict (walletaddr, chat) do update set posted = v.posted + excluded.posted
  ), stored as (
    insert into group_messages (id, chat, fromaddr, message, timestamp)
    select id, chat, fromaddr, message, timestamp from numbered
  )
  select n, id, nftaddr, context_type, ${nameOf('fromaddr')} as sender_name,
    ${instant('timestamp')} as timestamp
  from numbered`
