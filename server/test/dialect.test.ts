import { expect, test } from 'vitest'
import { newMigratedDatabase } from '../../testing/service/database.ts'
import { faultsOf, type Schema, tableFaults } from '../../testing/cases/dialect.ts'
import { onOneMachine } from '../../testing/service/engines.ts'

const schema: Schema = {
  keys: new Map([
    ['buckets', 'bucket'],
    ['conversations', 'bucket'],
    ['events', 'bucket'],
    ['group_chats', 'bucket'],
    ['bookmarks', 'wbucket'],
  ]),
  mutable: new Set(['to_char', 'random', 'next_id_v1']),
}

test.each<[fault: string, wrong: string[], right: string[]]>([
  [
    'a clock',
    [
      'select now()',
      'select clock_timestamp ( )',
      'select 1 where t < current_timestamp',
      'select current_date',
    ],
    ['select $1 - 5', `select 'now()'`, 'select last_ms -- not now()', 'select to_timestamp(1)'],
  ],
  [
    'nextval',
    [`select nextval('item_numbers')`, `insert into sign_outs (id) values (nextval('x'))`],
    ['select next_id_v1($1, $2)'],
  ],
  [
    'a function in `do update` that is not immutable',
    [
      `insert into conversations (bucket) values ($1) on conflict (bucket) do update set a = to_char(1)`,
      `insert into conversations (bucket) values ($1) on conflict (bucket) do update set a = 1 where random () < 1`,
    ],
    [
      `insert into erasures (a) values ($1) on conflict (a) do update set a = greatest(1, lower(b)) returning to_char(1)`,
      `insert into conversations (bucket) values ($1) on conflict (bucket) do update set a = next_id_v1(1, 2)`,
      `insert into conversations (bucket) values (random()) on conflict do nothing`,
    ],
  ],
  [
    'a function in `returning` that is not immutable',
    [
      'insert into bookmarks (wbucket) values ($1) returning to_char(1)',
      'with gone as (delete from events where bucket = $1 returning (lower(to_char (a)))) select lower(a) from gone',
    ],
    [
      'insert into bookmarks (wbucket) values ($1) returning lower(a)',
      'with made as (insert into events (bucket) values ($1) returning id, (a)) select to_char(id) from made',
      'insert into erasures (a) values ($1) returning to_char(1)',
      'update events set id = next_id_v1(1, 2) where bucket = $1 returning next_id_v1(1, 2)',
    ],
  ],
  [
    'a subquery without columns',
    [
      'select exists (select from conversations where a = $1) as found',
      'select id from events e where not exists ( select from group_chats b where b.id = e.id)',
    ],
    [
      'select exists (select 1 from conversations where a = $1) as found',
      'select (select froms from events)',
    ],
  ],
  [
    'a lateral with a limit beside unnest',
    [
      'select * from unnest($1::int[]) r cross join lateral (select id from events where id = r order by (id) limit 1) m',
    ],
    [
      'select call.number_of_call::text, answer.* from unnest($1::int[]) as call (v1) cross join lateral (select 1 limit 1) answer',
      'select * from unnest($1::int[]) r cross join lateral (select id from events where id = r) m limit 1',
      'select * from conversations c cross join lateral (select id from events limit 1) m',
    ],
  ],
  [
    'a function that is not immutable in a subquery without from',
    [
      'select (select to_char(c.a) || random()) from conversations c',
      'select array[(select (select lower(b) || to_char(a)) as x)] from conversations where bucket = $1',
    ],
    [
      'select (select to_char(c.a) from (select c.a from events) c) from conversations c',
      'select (select lower(c.a)) from conversations c where a = to_char(1)',
      'select (select to_char(1)) from log_readers',
    ],
  ],
  [
    'locks in more than one bucket',
    [
      'select id from conversations where bucket = any($1) order by a for update',
      'select id from bookmarks where bucket = $1 for no key update',
      'perform from conversations where a = p_wallet for update',
    ],
    [
      'select id from conversations where bucket = $1 and id = any($2) order by a for update',
      'perform from bookmarks where wbucket = p_wbucket for update',
      'select id from log_readers where name = $1 for update skip locked',
    ],
  ],
  [
    'changes of tables that lie by different keys in one statement',
    [
      'with gone as (delete from bookmarks where wbucket = $1 returning chat) update group_chats set members = 1 where bucket = $2',
      'with a as (insert into group_chats (bucket) values ($1) returning 1), b as (delete from erasures) select 1',
    ],
    [
      'with a as (insert into group_chats (bucket) values ($1) returning 1) update conversations set b = 1 where bucket = $1',
      'with a as (select 1 from bookmarks) update group_chats set members = 1 where bucket = $2',
    ],
  ],
  [
    'insert … select without a table that says the bucket',
    [
      'insert into events (bucket, id) select $1, id from unnest($2::bigint[]) id',
      'insert into group_chats as c (bucket, chat) select bucket, chat from bookmarks where wbucket = $1',
    ],
    [
      'insert into events (bucket, id) values ($1, $2)',
      'insert into events (bucket, id) select l.bucket, id from buckets l, unnest($2::bigint[]) id where l.bucket = $1',
      'insert into group_chats as c (bucket, chat) select c.bucket, c.chat from group_chats c where c.bucket = $1',
      'insert into dm_mails (a) select a from unnest($1::text[]) a',
    ],
  ],
  [
    'a join of tables that lie by different keys',
    [
      'select 1 from bookmarks b join group_chats c on c.chat = b.chat where b.wbucket = $1 and c.bucket = $2',
      'select 1 from bookmarks b join group_chats c on c.bucket = b.bucket and c.chat = b.chat where b.wbucket = $1',
      'select 1 from bookmarks b, group_chats c where c.chat = b.chat',
      'select 1 from group_chats c left join bookmarks b on b.chat = c.chat and b.wbucket = $1 where c.bucket = $2',
      'select 1 from group_chats c where c.bucket = $1 and exists (select 1 from bookmarks b where b.wbucket = $2 and b.chat = c.chat)',
      'select (select count(*) from bookmarks where chat = c.chat) from group_chats c where bucket = $1',
      'select 1 from group_chats c cross join lateral (select * from bookmarks b where b.chat = c.chat) x where c.bucket = $1',
      'update group_chats c set members = 0 from bookmarks b where b.chat = c.chat and b.wbucket = $1 and c.bucket = $2',
      'delete from group_chats c using bookmarks b where b.chat = c.chat and b.wbucket = $1 and c.bucket = $2',
      'select a from events union all select 1 from (select 1 from bookmarks b join group_chats c on c.chat = b.chat) x',
    ],
    [
      'select 1 from bookmarks b join group_chats c on c.bucket = b.wbucket',
      'select 1 from bookmarks b join group_chats c on c.chat = b.chat where b.wbucket = $1 and c.bucket = $1',
      'select 1 from bookmarks b join bookmarks d on d.wbucket = b.wbucket join group_chats c on c.bucket = d.wbucket',
      'select 1 from group_chats c join conversations d on d.bucket = c.bucket',
      'with b as (select * from bookmarks where wbucket = $1) select 1 from b join group_chats c on c.bucket = b.bucket',
      'with bookmarks as (select * from bookmarks where wbucket = $1) select 1 from bookmarks b join group_chats c on c.chat = b.chat',
      'select 1 from (select * from bookmarks c where wbucket = $1 and c.chat = $2) b join group_chats c on c.chat = b.chat',
      'select 1 from group_chats c where bucket = $1 and chat in (select chat from bookmarks b where wbucket = $2)',
      'select (select count(*) from bookmarks b where b.wbucket = c.bucket and b.chat = c.chat) from group_chats c',
      'select 1 from group_chats c join erasures p on p.hash = c.chat where c.bucket = $1',
      'select chat from bookmarks where wbucket = $1 union all select chat from group_chats where bucket = $2',
      'for r in select chat from bookmarks where wbucket = $1 loop update group_chats set members = 0 where bucket = r.bucket',
    ],
  ],
  [
    'a subquery with columns of a common table expression',
    [
      'with m as materialized (select peer from bookmarks where wbucket = $1) select (select count(*) from conversations c where c.a = m.peer) from m',
      'with m as (select peer from bookmarks) select 1 from m where not exists (select 1 from events c where c.bucket = m.bucket and c.a = m.peer)',
      'with m as (select peer from bookmarks), n as (select 1 from m) select coalesce((select a from events where b = x.peer), 1) from n join m x on true',
    ],
    [
      'with m as (select peer from bookmarks) select 1 from conversations c where exists (select 1 from m where m.peer = c.a)',
      'with m as (select peer from bookmarks) select (select count(*) from events e where e.bucket = c.bucket) from m join conversations c on c.a = m.peer',
      'with m as (select peer from bookmarks) select (select count(*) from conversations c where c.bucket = $1 and c.a = m.peer) from m',
      'with m as (select peer from bookmarks) select (select name from erasures p where p.address = m.peer) from m',
      'with m as (select peer from bookmarks) select peer from m where m.peer in (select a from conversations c)',
      'with m as (select peer from bookmarks) select x.id from m cross join lateral (select id from conversations c where c.a = m.peer) x',
    ],
  ],
])('%s is found, and nothing else', (fault, wrong, right) => {
  for (const text of wrong)
    expect(
      faultsOf(text, schema).map((found) => found.split(': ')[0]),
      text,
    ).toEqual([fault])
  for (const text of right) expect(faultsOf(text, schema), text).toEqual([])
  // In the middle of a function.
  expect(faultsOf(`begin perform 1; if found then ${wrong[0]}; end if; end`, schema)).toHaveLength(1)
})

onOneMachine(
  'tables with a bucket have no triggers, no columns that number themselves, and the bucket in all unique indexes',
  async () => {
    await using t = await newMigratedDatabase()
    expect(await tableFaults(t.db)).toEqual([])
    for (const statement of [
      'create unique index of_a on conversations (a, b)',
      'create unique index of_wallet on names (address, wbucket)',
      'alter table comments add column n bigint generated always as identity',
      `alter table events add column n bigint default nextval('item_numbers')`,
      `create function nothing() returns trigger language plpgsql as $$ begin return null; end $$`,
      'create trigger after_all after insert on group_messages for each row execute function nothing()',
      'create trigger after_all after insert on erasures for each row execute function nothing()',
    ])
      await t.db.query(statement)
    expect(await tableFaults(t.db)).toEqual([
      'identity column n',
      'number from a sequence n',
      'trigger after_all',
      'unique index without the bucket of_a',
    ])
  },
)
