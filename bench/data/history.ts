// Loads the history that layout.ts describes, with every table as the service would have left it: times, counters,
// members and ids agree. PostgreSQL generates the messages itself, which is faster than sending them by COPY. Secondary
// indexes are dropped first and built again at the end, from their definitions in the catalogue.

import pg from 'pg'
import { lastItem, lastItemVersion } from '../../server/src/messages/direct-message.ts'
import { lastPost, lastPostVersion } from '../../server/src/messages/group-message.ts'
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

// Pseudo-random, never negative, the same on every machine.
const hash = (n: string) => `(hashint8extended(${n}, 4361) & 9223372036854775807)`
const time = (n: string) => `timestamptz '2025-01-01T00:00:00Z' + ${n} * interval '1 s'`
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
    // A build to compare with may be from before the copies of last messages had a version.
    const { rowCount } = await client.query(`select from pg_attribute where attname = 'copy_version'`)
    const hasVersions = rowCount! > 0
    await loadDirect(run, layout, hasVersions, (done) => progress(done * 0.6))
    await loadGroups(run, layout)
    await copyLastPosts(run, hasVersions)
    for (const [i, index] of indexes.entries()) {
      progress(0.65 + (0.3 * i) / indexes.length)
      await run(index)
    }
    await run(`select setval('item_ids', ${layout.size})`)
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

async function loadDirect(run: Run, layout: Layout, hasVersions: boolean, progress: Progress): Promise<void> {
  const { direct, conversations, hubConversations, deep, others } = layout
  // Every conversation has a message; of the rest the deep ones get a fifth, the hubs three tenths.
  const conversation = `case when g <= ${conversations} then g - 1
    when h % 10 < 2 then ${hubConversations} + h / 10 % ${deep}
    when h % 10 < 5 then h / 10 % ${hubConversations}
    else ${hubConversations + deep} + h / 10 % ${others} end`
  for (let from = 1; from <= direct; from += chunk) {
    await run(
      `insert into direct_messages (id, conversation_id, fromaddr, toaddr, message, nftaddr, nftid, read, timestamp)
       select g, k + 1, case when back then y else x end, case when back then x else y end, ${text('g', 'h')},
         case when h % 11 = 0 then $3 end, case when h % 11 = 0 then (h % 1000)::text end, h % 5 <> 0, ${time('g')}
       from (select *, ${conversation} as k, h / 16 % 2 = 0 as back
             from (select g, ${hash('g')} as h from generate_series($1::bigint, $2::bigint) g) s) m
       join pair using (k) order by g`,
      [from, Math.min(direct, from + chunk - 1), chatName(chats - 1)],
    )
    progress(Math.min(1, (from + chunk) / direct))
  }
  const [names, values] = hasVersions
    ? ['copy_time, copy_version', `m.timestamp, ${lastItemVersion}`]
    : ['last_item_time', 'm.timestamp']
  await run(
    `insert into conversations (id, a, b, last_time, unread_a, unread_b, last_id, last_item, last_is_from_a, last_read, ${names})
     overriding system value
     select k + 1, least(x, y), greatest(x, y), m.timestamp, unread_a, unread_b,
       m.id, ${lastItem('m.timestamp')}, m.fromaddr = least(x, y), m.read, ${values}
     from pair join (
       select conversation_id, max(id) as last_id,
         count(*) filter (where not read and toaddr < fromaddr) as unread_a,
         count(*) filter (where not read and toaddr > fromaddr) as unread_b
       from direct_messages group by 1
     ) c on c.conversation_id = k + 1 join direct_messages m on m.id = c.last_id order by ${hash('k')}`,
  )
  await run(`select setval(pg_get_serial_sequence('conversations', 'id'), ${conversations})`)
}

async function loadGroups(run: Run, { direct, size, members, people }: Layout): Promise<void> {
  const names = Array.from({ length: chats }, (_, n) => chatName(n))
  await run(
    `insert into communities (chat, community, creator)
     select name, name, $2 from unnest($1::text[]) as c (name)`,
    [names.filter((_, n) => isCommunity(n)), person(0)],
  )
  await run('create temp table chat (n bigint primary key, name text, context_type text)')
  await run(
    'insert into chat select n - 1, name, context_type from unnest($1::text[], $2::text[]) with ordinality as t (name, context_type, n)',
    [names, names.map((_, n) => (isCommunity(n) ? 'community' : 'nft'))],
  )
  for (let from = direct + 1; from <= size; from += chunk)
    await run(
      `insert into group_messages (id, chat, fromaddr, message, timestamp)
       select g, chat.name, person.address, ${text('g', 'h')}, ${time('g')}
       from (select g, ${hash('g')} as h from generate_series($1::bigint, $2::bigint) g) s
       join chat on chat.n = case when h % 2 = 0 then 0 else h / 2 % ${chats} end
       join person on person.n = h / 1000 % ${people} order by g`,
      [from, Math.min(size, from + chunk - 1)],
    )
  await run(
    `insert into bookmarks (walletaddr, chat, nftaddr)
     select address, $1, $1 from person where n < $2
     union all select hub, chat.name, chat.name from unnest($3::text[], $4::int[]) as h (hub, joined) join chat on chat.n < joined`,
    [names[0], members, allHubs().map(({ address }) => address), allHubs().map(({ joined }) => joined)],
  )
  await run(
    `insert into group_visits (walletaddr, chat, posted) select fromaddr, chat, count(*) from group_messages group by 1, 2`,
  )
  await run(
    `insert into group_chats (chat, nftaddr, context_type, last_time, posted, members)
     select name, name, context_type, coalesce(last_time, '-infinity'), coalesce(posted, 0), coalesce(members, 0)
     from chat
     left join (select chat, max(timestamp) as last_time, count(*) as posted from group_messages group by 1) m on m.chat = name
     left join (select chat, count(*) as members from bookmarks group by 1) b on b.chat = name`,
  )
}

const copyLastPosts = (run: Run, hasVersions: boolean) =>
  run(
    `update group_chats c set last_id = m.id, last_fromaddr = m.fromaddr, last_item = ${lastPost('m.timestamp')},
       ${hasVersions ? `copy_time = m.timestamp, copy_version = ${lastPostVersion}` : 'last_item_time = m.timestamp'}
     from (select distinct on (chat) * from group_messages order by chat, id desc) m where m.chat = c.chat`,
  )

/** Adds the conversation of 100,000 messages, unless it is there. */
export async function loadLongConversation(run: Run): Promise<void> {
  await run(
    `with conversation as (
       insert into conversations (a, b, last_time)
       values (least($1::text collate "C", $2), greatest($1::text collate "C", $2), ${time(String(longConversation))})
       on conflict do nothing returning id
     )
     insert into direct_messages (conversation_id, fromaddr, toaddr, message, read, timestamp)
     select id, $1, $2, ${text('g', hash('g'))}, true, ${time('g')}
     from conversation, generate_series(1, ${longConversation}) g`,
    [...longPair],
  )
}
