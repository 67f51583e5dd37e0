// Baselines show what the machine can do without the service: the same work directly on the database, one statement per message
// or read. The writes here do not follow changes of the service's own SQL, so that the baseline stays the same.

import { type JsonList, pagesOf } from '../../server/src/db/pages.ts'
import type { Db } from '../../server/src/db/pool.ts'
import { chatBucket, pairBucket } from '../../server/src/values/bucket.ts'
import type { Baseline } from './case.ts'
import type { Pair } from '../data/layout.ts'

export const text =
  'A message of a hundred characters or so, as people write them to each other in a chat; it says gm.'

/** Inserts one durable row and nothing else, for comparison with a write's own baseline. */
export const bareInsert: Baseline = {
  name: 'bare insert',
  prepare: ({ db }) =>
    db.query(
      'create table if not exists bench_rows (id bigint generated always as identity primary key, message text not null)',
    ),
  work: async () => (db) => db.query('insert into bench_rows (message) values ($1)', [text]),
}

/** Does everything that sending a message must do, as one statement and so one transaction. */
export const sendAlone = (db: Db, [from, to]: Pair) =>
  db.query(
    `with moved as (
       insert into conversations as c (bucket, a, b, id, last_ms, unread_a, unread_b)
       values ($4::integer, least($1::text collate "C", $2), greatest($1::text collate "C", $2), nextval('item_numbers') * 64 + $4, $5::bigint,
         ($2 < $1)::int, ($2 > $1)::int)
       on conflict (bucket, a, b) do update set last_ms = greatest(excluded.last_ms, c.last_ms + 1),
         unread_a = c.unread_a + excluded.unread_a, unread_b = c.unread_b + excluded.unread_b
       returning bucket, id, last_ms
     )
     insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
     select bucket, id, nextval('item_numbers') * 64 + bucket, $1, $2, $3, last_ms from moved returning id, ms`,
    [from, to, text, pairBucket(from, to), db.now()],
  )

/** Does everything that a message in a group chat needs, in the same way. */
export const postAlone = (db: Db, [from, chat]: readonly [from: string, chat: string]) =>
  db.query(
    `with moved as (
       update group_chats set last_ms = greatest($5::bigint, last_ms + 1), posted = posted + 1
       where bucket = $4::integer and chat = lower($2) returning bucket, chat, last_ms
     ), visited as (
       insert into group_visits as v (bucket, walletaddr, chat, posted) select bucket, $1, chat, 1 from moved
       on conflict (bucket, chat, walletaddr) do update set posted = v.posted + 1
     )
     insert into group_messages (bucket, chat, id, fromaddr, message, ms)
     select bucket, chat, nextval('item_numbers') * 64 + bucket, $1, $3, last_ms from moved returning id, ms`,
    [from, chat, text, chatBucket(chat.toLowerCase()), db.now()],
  )

/** Reads a list to its end, as text. */
export async function drain(db: Db, list: JsonList<unknown>): Promise<number> {
  let length = 0
  for await (const page of pagesOf(list, db)) length += page.length
  return length
}
