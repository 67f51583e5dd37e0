// This loads the history that layout.ts describes, with every table as the service would have left it: times, counters, members
// and ids agree. PostgreSQL generates the messages itself, which is faster than sending them by COPY. Secondary indexes are
// dropped first and built again at the end, from their definitions in the catalogue.

import pg from 'pg'
import { lastItem, lastItemVersion } from '../../server/src/messages/direct-message.ts'
import { lastPost, lastPostVersion } from '../../server/src/messages/group-message.ts'
import { pairBucket } from '../../server/src/values/bucket.ts'
import { chunk, loadPeople, type Run } from './people.ts'
import {
  allHubs,
  chatName,
  chats,
  isCommunity,
  type Layout,
  longConversation,
  longPair,
  person,
} from './layout.ts'

/** Receives how much of the work is done, from 0 to 1. */
type Progress = (done: number) => void

// The number is pseudo-random, never negative, the same on every machine.
const hash = (n: string) => `(hashint8extended(${n}, 4361) & 9223372036854775807)`
/** Returns the time of a message in milliseconds: a second for each message, from the beginning of 2025. */
const time = (n: string) => `1735689600000 + ${n} * 1000`
const text = (n: string, h: string) => `left(repeat(md5(${n}::text), 8), 16 + (${h} % 200)::int)`

/** Fills an empty, migrated database. */
export async function loadHistory(databaseUrl: string, layout: Layout, progress: Progress): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A broken connection is reported by the statement that runs.
  client.on('error', () => {})
  await client.connect()
  const run: Run = (sql, values) => client.query(sql, values)
  try {
    await run(`set maintenance_work_mem = '256MB'`)
    const indexes = await dropIndexes(client)
    await loadPeople(run, layout)
    await loadDirect(run, layout, (done) => progress(done * 0.6))
    await loadGroups(run, layout)
    await copyLastPosts(run)
    for (const [i, index] of indexes.entries()) {
      progress(0.65 + (0.3 * i) / indexes.length)
      await run(index)
    }
    await run(`select setval('item_numbers', ${layout.size})`)
    // These texts are no words: nobody searches them, and a run would begin with making their index.
    await run(`update log_readers set id = ${layout.size} * 64 + 63 where name = 'search'`)
    await run('vacuum analyze')
    await run('checkpoint')
    progress(1)
  } finally {
    await client.end().catch(() => {})
  }
}

async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relname in ('direct_messages', 'group_messages') and not i.indisprimary order by 1`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

async function loadDirect(run: Run, layout: Layout, progress: Progress): Promise<void> {
  const { direct, conversations, hubConversations, deep, others } = layout
  // Every conversation has a message; the deep ones get a fifth of the rest, the hubs three tenths.
  const conversation = `case when g <= ${conversations} then g - 1
    when h % 10 < 2 then ${hubConversations} + h / 10 % ${deep}
    when h % 10 < 5 then h / 10 % ${hubConversations}
    else ${hubConversations + deep} + h / 10 % ${others} end`
  for (let from = 1; from <= direct; from += chunk) {
    await run(
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, nftaddr, nftid, read, ms)
       select bucket, (k + 1) * 64 + bucket, g * 64 + bucket,
         case when back then y else x end, case when back then x else y end, ${text('g', 'h')},
         case when h % 11 = 0 then $3 end, case when h % 11 = 0 then (h % 1000)::text end, h % 5 <> 0, ${time('g')}
       from (select *, ${conversation} as k, h / 16 % 2 = 0 as back
             from (select g, ${hash('g')} as h from generate_series($1::bigint, $2::bigint) g) s) m
       join pair using (k) order by g`,
      [from, Math.min(direct, from + chunk - 1), chatName(chats - 1)],
    )
    progress(Math.min(1, (from + chunk) / direct))
  }
  await run(
    `insert into conversations (bucket, a, b, id, began_ms, began_by_a, last_ms, unread_a, unread_b,
       last_id, last_item, copy_ms, copy_version, last_is_from_a, last_read, state_a, state_b)
     select m.bucket, least(x, y), greatest(x, y), m.conversation_id, began_ms, began_by_a, m.ms, unread_a, unread_b,
       m.id, ${lastItem('m.ms')}, m.ms, ${lastItemVersion}, m.fromaddr = least(x, y), m.read, a_wrote::integer, b_wrote::integer
     from pair join (
       select conversation_id, max(id) as last_id, min(ms) as began_ms,
         min(id) filter (where fromaddr < toaddr) is not distinct from min(id) as began_by_a,
         bool_or(fromaddr < toaddr) as a_wrote, bool_or(fromaddr > toaddr) as b_wrote,
         count(*) filter (where not read and toaddr < fromaddr) as unread_a,
         count(*) filter (where not read and toaddr > fromaddr) as unread_b
       from direct_messages group by 1
     ) c on c.conversation_id = (k + 1) * 64 + bucket
     join direct_messages m on m.bucket = pair.bucket and m.conversation_id = c.conversation_id and m.id = c.last_id
     order by ${hash('k')}`,
  )
}

async function loadGroups(run: Run, { direct, size, members, people }: Layout): Promise<void> {
  const names = Array.from({ length: chats }, (_, n) => chatName(n))
  await run(
    `insert into communities (bucket, chat, community, creator, created_ms)
     select bucket_of(name), name, name, $2, ${time('0')} from unnest($1::text[]) as c (name)`,
    [names.filter((_, n) => isCommunity(n)), person(0)],
  )
  await run('create temp table chat (n bigint primary key, name text, context_type text, bucket integer)')
  await run(
    'insert into chat select n - 1, name, context_type, bucket_of(name) from unnest($1::text[], $2::text[]) with ordinality as t (name, context_type, n)',
    [names, names.map((_, n) => (isCommunity(n) ? 'community' : 'nft'))],
  )
  for (let from = direct + 1; from <= size; from += chunk)
    await run(
      `insert into group_messages (bucket, chat, id, fromaddr, message, ms)
       select chat.bucket, chat.name, g * 64 + chat.bucket, person.address, ${text('g', 'h')}, ${time('g')}
       from (select g, ${hash('g')} as h from generate_series($1::bigint, $2::bigint) g) s
       join chat on chat.n = case when h % 2 = 0 then 0 else h / 2 % ${chats} end
       join person on person.n = h / 1000 % ${people} order by g`,
      [from, Math.min(size, from + chunk - 1)],
    )
  await run(
    `insert into bookmarks (wbucket, walletaddr, chat, bucket, id, nftaddr, chain)
     select bucket_of(wallet), wallet, chat, bucket_of(chat), row_number() over () * 64 + bucket_of(wallet), chat, ''
     from (
     select address as wallet, $1 as chat from person where n < $2
     union all select hub, chat.name from unnest($3::text[], $4::int[]) as h (hub, joined) join chat on chat.n < joined
     ) joined`,
    [names[0], members, allHubs().map(({ address }) => address), allHubs().map(({ joined }) => joined)],
  )
  await run(
    `insert into group_visits (bucket, chat, walletaddr, posted, joined)
     select coalesce(m.bucket, b.bucket), coalesce(m.chat, b.chat), coalesce(fromaddr, walletaddr), coalesce(posted, 0),
       walletaddr is not null
     from (select bucket, chat, fromaddr, count(*) as posted from group_messages group by 1, 2, 3) m
     full join bookmarks b on b.bucket = m.bucket and b.chat = m.chat and b.walletaddr = m.fromaddr`,
  )
  await run(
    `insert into group_chats (bucket, chat, nftaddr, context_type, last_ms, posted, members)
     select bucket, name, name, context_type, coalesce(last_ms, 0), coalesce(posted, 0), coalesce(members, 0)
     from chat
     left join (select chat, max(ms) as last_ms, count(*) as posted from group_messages group by 1) m on m.chat = name
     left join (select chat, count(*) as members from bookmarks group by 1) b on b.chat = name`,
  )
}

const copyLastPosts = (run: Run) =>
  run(
    `update group_chats c set last_id = m.id, last_fromaddr = m.fromaddr, last_item = ${lastPost('m.ms')},
       copy_ms = m.ms, copy_version = ${lastPostVersion}
     from (select distinct on (chat) * from group_messages order by chat, id desc) m where m.chat = c.chat`,
  )

/** Adds the conversation of 100,000 messages, unless it is there. */
export async function loadLongConversation(run: Run): Promise<void> {
  await run(
    `with conversation as (
       insert into conversations (bucket, a, b, id, began_ms, began_by_a, last_ms, state_a, state_b)
       select bucket, a, b, nextval('item_numbers') * 64 + bucket, ${time('1')}, a = $1, ${time(String(longConversation))},
         (a = $1)::integer, (b = $1)::integer
       from (select least($1::text collate "C", $2) as a, greatest($1::text collate "C", $2) as b, $3::integer as bucket) pair
       on conflict do nothing returning bucket, id
     )
     insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, read, ms)
     select bucket, id, nextval('item_numbers') * 64 + bucket, $1, $2, ${text('g', hash('g'))}, true, ${time('g')}
     from conversation, generate_series(1, ${longConversation}) g`,
    [...longPair, pairBucket(...longPair)],
  )
}
