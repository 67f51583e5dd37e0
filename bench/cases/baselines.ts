// What the machine can do without the service: the same work directly on the database, one statement per message or
// read. The writes here do not follow changes of the service's own SQL, so that the baseline stays the same.

import type { JsonList } from '../../server/src/db/pages.ts'
import type { Db } from '../../server/src/db/pool.ts'
import type { Baseline } from './case.ts'
import type { Pair } from '../data/layout.ts'

export const text =
  'A message of a hundred characters or so, as people write them to each other in a chat; it says gm.'

/** One durable row and nothing else, for comparison with a write's own baseline. */
export const bareInsert: Baseline = {
  name: 'bare insert',
  prepare: ({ db }) =>
    db.query(
      'create table if not exists bench_rows (id bigint generated always as identity primary key, message text not null)',
    ),
  work: async () => (db) => db.query('insert into bench_rows (message) values ($1)', [text]),
}

const now = `date_trunc('milliseconds', clock_timestamp())`

/** Everything that sending a message must do, as one statement and so one transaction. */
export const sendAlone = (db: Db, [from, to]: Pair) =>
  db.query(
    `with moved as (
       insert into conversations as c (a, b, last_time, unread_a, unread_b)
       values (least($1::text collate "C", $2), greatest($1::text collate "C", $2), ${now}, ($2 < $1)::int, ($2 > $1)::int)
       on conflict (a, b) do update set last_time = greatest(excluded.last_time, c.last_time + interval '1 ms'),
         unread_a = c.unread_a + excluded.unread_a, unread_b = c.unread_b + excluded.unread_b
       returning id, last_time
     )
     insert into direct_messages (conversation_id, fromaddr, toaddr, message, timestamp)
     select id, $1, $2, $3, last_time from moved returning id, timestamp`,
    [from, to, text],
  )

/** The same for a message in a group chat. */
export const postAlone = (db: Db, [from, chat]: readonly [from: string, chat: string]) =>
  db.query(
    `with moved as (
       update group_chats set last_time = greatest(${now}, last_time + interval '1 ms'), posted = posted + 1
       where chat = lower($2) returning chat, last_time
     ), visited as (
       insert into group_visits as v (walletaddr, chat, posted) select $1, chat, 1 from moved
       on conflict (walletaddr, chat) do update set posted = v.posted + 1
     )
     insert into group_messages (chat, fromaddr, message, timestamp)
     select chat, $1, $3, last_time from moved returning id, timestamp`,
    [from, chat, text],
  )

/** Reads a list to its end, as text. */
export async function drain({ pages }: JsonList<unknown>): Promise<number> {
  let length = 0
  for await (const page of pages) length += page.length
  return length
}
