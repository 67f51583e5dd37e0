import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { batched } from '../../db/batch.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import type { Chat } from '../../messages/chat-key.ts'
import { groupChatItem, lastPost, lastPostVersion, postColumns } from '../../messages/group-message.ts'
import {
  arraysOf,
  type Columns,
  copyOf,
  namesOf,
  type Outcome,
  requireStored,
  unnestArguments,
} from '../../messages/storing.ts'

export type Post = Chat & Record<keyof typeof postColumns, string>

/**
 * Stores a message in a group chat, together with others that arrive at the same time. It writes
 * the rows of the chat and of the sender, none for other members. Throws 429 when the chat's time
 * is ahead of the clock.
 */
export const insertPost = async (db: Db, post: Post): Promise<JsonList<GroupChatItem>> =>
  requireStored(await insertTogether(db, post), 'chat')

const insertTogether = batched(
  (db, posts: Post[]) => db.query<Outcome>(insertBatch, arraysOf(inputColumns, posts)),
  { inFlight: 2, size: 128, waitsFor: 'rows' },
)

const inputColumns = {
  chat: { collate: 'C' },
  nftaddr: {},
  context_type: {},
  ...postColumns,
} as const satisfies Columns<keyof Post>

const columns = namesOf(postColumns).join(', ')

// One statement for the whole batch. It locks the row of each chat until the commit, as direct
// messages do with a pair's (direct-messages/send.ts).
const insertBatch = `
  with input as (
    -- The messages, and the place of a message among those of its chat.
    select *, row_number() over (partition by chat order by n) as place
    from unnest(${unnestArguments(inputColumns)}) with ordinality as i (${namesOf(inputColumns).join(', ')}, n)
  ), now as (
    select date_trunc('milliseconds', clock_timestamp()) as now
  ), total as (
    -- What each chat gets. Only a single message is copied for inboxes.
    select chat, min(nftaddr) as nftaddr, min(context_type) as context_type, count(*) as sent, min(fromaddr) as fromaddr,
      case when count(*) = 1 then max(${lastPost('now')}) end as item
    from input m, now group by chat order by chat
  ), moved as (
    -- Locks each chat, in the order of chats, and moves its time on by a millisecond per message. The
    -- id of a single message is drawn under the lock too.
    -- Spec gap: a chat whose time would be more than two seconds ahead of the clock is left as it is.
    insert into group_chats as c (chat, nftaddr, context_type, last_time, posted, last_id, last_fromaddr, last_item, copy_time, copy_version)
    select chat, nftaddr, context_type, now.now + (sent - 1) * interval '1 ms', sent,
      case when sent = 1 then nextval('item_ids') end, fromaddr, ${copyOf('item')}, now.now, ${lastPostVersion}
    from total, now order by chat
    on conflict (chat) do update set
      last_time = greatest(excluded.last_time, c.last_time + (excluded.last_time - (select now from now)) + interval '1 ms'),
      posted = c.posted + excluded.posted,
      last_id = case when excluded.last_id is not null then nextval('item_ids') end,
      last_fromaddr = excluded.last_fromaddr,
      last_item = excluded.last_item,
      copy_time = excluded.last_time,
      copy_version = excluded.copy_version
    where c.last_time + (excluded.last_time - (select now from now)) < (select now from now) + interval '2 s'
    returning chat, nftaddr, context_type, last_time, last_id
  ), numbered as (
    -- Each message of a chat that was moved on, with its id and time.
    select coalesce(last_id, nextval('item_ids')) as id, ordered.* from (
      select i.n, i.chat, ${namesOf(postColumns)
        .map((name) => `i.${name}`)
        .join(', ')},
        moved.nftaddr, moved.context_type, moved.last_id,
        moved.last_time - (total.sent - i.place) * interval '1 ms' as timestamp
      from input i join total using (chat) join moved using (chat) order by n
    ) ordered
  ), visited as (
    -- How many messages each sender has written, which are never unread for it.
    insert into group_visits as v (walletaddr, chat, posted)
    select fromaddr, chat, count(*) from numbered group by fromaddr, chat order by chat, fromaddr
    on conflict (walletaddr, chat) do update set posted = v.posted + excluded.posted
  ), stored as (
    insert into group_messages (id, chat, ${columns}, timestamp)
    select id, chat, ${columns}, timestamp from numbered
  )
  -- What became of each message, in their order.
  select ${groupChatItem} as stored,
    case when m.id is null then 'too-fast' end as refused
  from input i left join numbered m using (n), lateral (select m.nftaddr, m.context_type) c
  order by n`
