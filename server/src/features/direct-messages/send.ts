import type { ChatItem, NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { batched } from '../../db/batch.ts'
import type { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import { chatItem, lastItem, lastItemVersion, messageColumns } from '../../messages/direct-message.ts'
import {
  arraysOf,
  copyOf,
  namesOf,
  type Outcome,
  requireStored,
  unnestArguments,
} from '../../messages/storing.ts'

/**
 * Stores a message and brings its conversation up to date, together with other messages that arrive
 * at the same time. Throws 429 when the conversation's time is ahead of the clock.
 */
export const insertMessage = async (db: Db, message: NewChatItem): Promise<JsonList<ChatItem>> =>
  requireStored(await insertTogether(db, message), 'conversation')

const insertTogether = batched(
  (db, messages: NewChatItem[]) => db.query<Outcome>(insertBatch, arraysOf(messageColumns, messages)),
  { inFlight: 2, size: 128, waitsFor: 'rows' },
)

const columns = namesOf(messageColumns).join(', ')

// One statement for the whole batch. It locks the row of each pair until the commit, so the times
// of a conversation increase strictly and become visible in their order, on any number of
// instances.
const insertBatch = `
  with input as (
    -- The messages, the two ends of each pair, and the place of a message among those of its pair.
    select *, least(fromaddr, toaddr) as a, greatest(fromaddr, toaddr) as b,
      row_number() over (partition by least(fromaddr, toaddr), greatest(fromaddr, toaddr) order by n) as place
    from unnest(${unnestArguments(messageColumns)}) with ordinality as m (${columns}, n)
  ), now as (
    select date_trunc('milliseconds', clock_timestamp()) as now
  ), pair as (
    -- What each pair gets. Only a single message is copied for inboxes.
    -- Spec gap: what a wallet writes to itself is read from the start and never counts as unread.
    select a, b, count(*) as sent,
      count(*) filter (where toaddr = a and a <> b) as to_a, count(*) filter (where toaddr = b and a <> b) as to_b,
      case when count(*) = 1 then max(${lastItem('now')}) end as item, bool_or(fromaddr = a) as is_from_a
    from input m, now group by a, b order by a, b
  ), moved as (
    -- Locks each pair and moves its time on by a millisecond per message. In the order of pairs, so
    -- that two batches cannot deadlock. The id of a single message is drawn under the lock too.
    -- Spec gap: a pair whose time would be more than two seconds ahead of the clock is left as it is.
    insert into conversations as c (a, b, last_time, unread_a, unread_b, last_id, last_item, copy_time, copy_version, last_is_from_a, last_read)
    select a, b, now.now + (sent - 1) * interval '1 ms', to_a, to_b,
      case when sent = 1 then nextval('item_ids') end, ${copyOf('item')},
      now.now, ${lastItemVersion}, is_from_a, a = b
    from pair, now order by a, b
    on conflict (a, b) do update set
      last_time = greatest(excluded.last_time, c.last_time + (excluded.last_time - (select now from now)) + interval '1 ms'),
      unread_a = c.unread_a + excluded.unread_a,
      unread_b = c.unread_b + excluded.unread_b,
      last_id = case when excluded.last_id is not null then nextval('item_ids') end,
      last_item = excluded.last_item,
      copy_time = excluded.last_time,
      copy_version = excluded.copy_version,
      last_is_from_a = excluded.last_is_from_a,
      last_read = excluded.last_read
    where c.last_time + (excluded.last_time - (select now from now)) < (select now from now) + interval '2 s'
    returning id, a, b, last_time, last_id
  ), numbered as (
    -- Each message of a pair that was moved on, with its id and time.
    select coalesce(last_id, nextval('item_ids')) as id, ordered.* from (
      select i.*, i.a = i.b as read, moved.id as conversation_id, moved.last_id,
        moved.last_time - (pair.sent - i.place) * interval '1 ms' as timestamp
      from input i join pair using (a, b) join moved using (a, b) order by n
    ) ordered
  ), stored as (
    insert into direct_messages (id, conversation_id, ${columns}, read, timestamp)
    select id, conversation_id, ${columns}, read, timestamp from numbered
  ), announced as materialized (
    -- A mail job for each sender and recipient who wants mails; an index holds only those who do.
    ${enqueueEach(
      'send-dm-mail',
      `json_build_object('fromaddr', fromaddr, 'toaddr', toaddr)`,
      `'send-dm-mail ' || fromaddr || ' ' || toaddr`,
      `select distinct n.fromaddr, n.toaddr from numbered n
       join settings s on s.walletaddr = n.toaddr and s.notifydm and s.verified where n.a <> n.b`,
    )}
  )
  -- What became of each message, in their order.
  select ${chatItem} as stored, case when m.id is null then 'too-fast' end as refused
  from announced, input i left join numbered m using (n) order by n`
