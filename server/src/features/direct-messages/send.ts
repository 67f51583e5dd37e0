import type { ChatItem, NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { batched } from '../../db/batch.ts'
import { copyOf, lastItem } from '../../messages/direct-message.ts'
import { refusingCrowds } from '../../messages/crowd.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import type { Db } from '../../db/pool.ts'
import { instant, nameOf } from '../../messages/shared-sql.ts'

/**
 * Stores a message and brings its conversation up to date, together with other messages that arrive meanwhile.
 * Refused with 429 when the conversation's time runs ahead of the clock.
 */
export async function insertMessage(db: Db, message: NewChatItem): Promise<ChatItem> {
  const { id, timestamp, read, sender_name } = await insertTogether(db, message)
  return { id, ...message, read, sender_name, timestamp, timestamp_dtm: timestamp }
}

interface Stored {
  n: number
  id: number
  read: boolean
  sender_name: string
  timestamp: string
}

const columns = [
  'fromaddr',
  'toaddr',
  'message',
  'nftaddr',
  'nftid',
  'encrypted_sym_x_key',
  'x_access_conditions',
] as const

async function insertMessages(db: Db, messages: NewChatItem[]): Promise<(Stored | undefined)[]> {
  const arrays = columns.map((column) => messages.map((message) => message[column] ?? null))
  const stored = await db.query<Stored>(insertBatch, arrays)
  const byNumber = new Map(stored.map((row) => [row.n, row]))
  return messages.map((_, i) => byNumber.get(i + 1))
}

const insertTogether = refusingCrowds(
  batched(insertMessages, { inFlight: 2, size: 128, waitsFor: 'rows' }),
  'conversation',
  ({ fromaddr, toaddr }) => [fromaddr, toaddr].toSorted().join(),
)

// One statement for the whole batch. Each pair's row is locked (in the order of pairs, so that two batches cannot
// deadlock), moved on by as many milliseconds as it gets messages, and its lock held until the commit: so the times of a
// conversation increase strictly and become visible in their order, whatever the number of instances.
// The id of a pair's only message is drawn under the lock too, for a copy in the pair's row: unless it is long, or had to
// be given a later time than the copy tells, inboxes show that.
// Spec gap: a pair whose time would run more than two seconds ahead is left untouched and its messages are not stored.
// Spec gap: what a wallet writes to itself is read from the start and never counts as unread.
// Whoever wants a mail about it is found by an index that holds only those who do; one job for each sender and recipient.
const insertBatch = `
  with input as (
    select *, least(fromaddr, toaddr) as a, greatest(fromaddr, toaddr) as b, row_number() over (partition by least(fromaddr, toaddr), greatest(fromaddr, toaddr) order by n) as place
    from unnest($1::text[] collate "C", $2::text[] collate "C", $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
      with ordinality as m (fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, n)
  ), now as (
    select date_trunc('milliseconds', clock_timestamp()) as now
  ), pair as (
    select a, b, count(*) as sent,
      count(*) filter (where toaddr = a and a <> b) as to_a, count(*) filter (where toaddr = b and a <> b) as to_b,
      case when count(*) = 1 then max(${lastItem('now')}) end as item, bool_or(fromaddr = a) as is_from_a
    from input m, now group by a, b order by a, b
  ), moved as (
    insert into conversations as c (a, b, last_time, unread_a, unread_b, last_id, last_item, last_item_time, last_is_from_a, last_read)
    select a, b, now.now + (sent - 1) * interval '1 ms', to_a, to_b,
      case when sent = 1 then nextval('item_ids') end, ${copyOf('item')},
      now.now, is_from_a, a = b
    from pair, now order by a, b
    on conflict (a, b) do update set
      last_time = greatest(excluded.last_time, c.last_time + (excluded.last_time - (select now from now)) + interval '1 ms'),
      unread_a = c.unread_a + excluded.unread_a,
      unread_b = c.unread_b + excluded.unread_b,
      last_id = case when excluded.last_id is not null then nextval('item_ids') end,
      last_item = excluded.last_item,
      last_item_time = excluded.last_time,
      last_is_from_a = excluded.last_is_from_a,
      last_read = excluded.last_read
    where c.last_time + (excluded.last_time - (select now from now)) < (select now from now) + interval '2 s'
    returning id, a, b, last_time, last_id
  ), numbered as (
    select coalesce(last_id, nextval('item_ids')) as id, ordered.* from (
      select i.*, moved.id as conversation_id, moved.last_id, moved.last_time - (pair.sent - i.place) * interval '1 ms' as timestamp
      from input i join pair using (a, b) join moved using (a, b) order by n
    ) ordered
  ), stored as (
    insert into direct_messages (id, conversation_id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, read, timestamp)
    select id, conversation_id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, a = b, timestamp from numbered
  ), announced as materialized (${enqueueEach(
    'send-dm-mail',
    `json_build_object('fromaddr', fromaddr, 'toaddr', toaddr)`,
    `'send-dm-mail ' || fromaddr || ' ' || toaddr`,
    `select distinct n.fromaddr, n.toaddr from numbered n
     join settings s on s.walletaddr = n.toaddr and s.notifydm and s.verified where n.a <> n.b`,
  )})
  select n, id, a = b as read, ${nameOf('fromaddr')} as sender_name, ${instant('timestamp')} as timestamp
  from numbered, announced`
