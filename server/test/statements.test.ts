// Every statement of the service is one that a cluster can run, and stays in one bucket, so that it runs on one node. The
// tables are partitioned by bucket here, and the plan of each statement shows which partitions it touches.

import { contract } from '@parley/sdk/contract/index.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { faultsOf, type Schema } from '../../testing/cases/dialect.ts'
import { citusUrl } from '../../testing/service/citus.ts'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newPartitionedDatabase } from '../../testing/service/partitioned-database.ts'
import { type Recorded, recordStatements } from '../../testing/cases/recorded.ts'
import { type Service, startService } from '../../testing/service/service.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { startTelegram } from '../../testing/outside/telegram-api.ts'
import { settingsOfAll, useEverything } from '../../testing/service/whole-service.ts'
import { countUnread } from '../src/features/inbox/counts.ts'
import { findInbox } from '../src/features/inbox/store.ts'

/** Statements that touch many buckets, and why they may. */
const permitted: [RegExp, why: string][] = [
  [
    /from buckets l join .* left join (idempotency_keys k on k|(group_chats|conversations) c on c)\.bucket = l\.bucket .* where l\.bucket = any \(p_bucket\)/,
    'A batch, which a cluster joins beside the rows of `buckets`.',
  ],
  [
    /^\s*select call\.number_of_call::text, answer\.\*/,
    'Reads of several callers go together on one machine; a cluster runs each by itself.',
  ],
  [/\bfrom conversations where \(?a = \$1/, 'The conversations of a wallet lie in many buckets.'],
  [/\bm\.(fromaddr|toaddr) = (any|\$1)/, 'So do the messages that it sent or received.'],
  [/\bfrom bookmarked b\b|\bas b \(bucket, chat\)/, 'So do the chats that it has joined.'],
  [/\bcomments (c .*)?where (c\.)?fromaddr = \$1/, 'So do its comments, for its export and erasure.'],
  [
    /\b(from|delete from) (reactions|pins|files) where walletaddr = (\$|any)/,
    'So do its reactions, its pins and its files.',
  ],
  [
    /\bfrom files where item_id is null and created_ms < \$1|\bselect 1 as one from (files|images) limit 1/,
    'Files that no message has are deleted, once an hour, and what no row of a file or picture has.',
  ],
  [
    /\bfrom files where (sha256 = decode\(\$1, 'hex'\) and not sealed and blocked is null|blocked = 1|unscanned and) ?/,
    'So do the files of a hash that an operator blocks, those whose bytes are kept, and those that wait for a scanner.',
  ],
  [
    /\bfrom events where walletaddr = any\(\$1::text\[\]\) and id > \$2 and event->>'type' = 'edited'/,
    'Edits of its messages and in its chats, which the index of searches does not have yet.',
  ],
  [
    /\bfrom (direct_messages|group_messages|withheld_posts) where id = any\(\$[13]::bigint\[\]\)|\bwhere m\.id = any\(\$2::bigint\[\]\) and \$1 in/,
    'A search reads what it has found, on one machine also the posts; messages that were edited are indexed again in the background.',
  ],
  [/\bselect bucket, id from blobs_gone order by/, 'The bytes of deleted files, once a minute.'],
  [/\bgroup_visits (v .*)?where (v\.)?walletaddr = \$1/, 'So do its visits.'],
  [
    /\bcommunities (k left join community_profiles p on p\.bucket = k\.bucket and p\.chat = k\.chat |set creator = null, social = '\[\]' )?where (k\.)?creator = (\$1|p_wallet)/,
    'So do the communities that it has created.',
  ],
  [/\bfrom chat_gates where ms > \$1/, 'Every instance holds the rules of all chats.'],
  [
    /\b(from|delete from) (chat_roles|chat_restrictions|chat_log|chat_commands) where \(?(walletaddr|actor) = \$1|\bupdate chat_log set .* where (actor|subject) = \$1|\bl\.actor = \$1/,
    'So do what it moderates, what moderators did with it, and its commands.',
  ],
  [
    /\bfrom (chat_restrictions|chat_rules) where ms > \$1/,
    'Every instance reads what moderators have changed lately.',
  ],
  [
    /\bfrom conversations c where c\.a = \$1 and c\.b <> \$1 and c\.began_by_a/,
    'Who has answered a wallet lies with their conversations; counted in the background.',
  ],
  [/\bdelete from events where walletaddr = \$1/, 'So do events for it, which its erasure deletes.'],
  [
    /\bdelete from idempotency_keys where bucket = any\(\$1::integer\[\]\) and caller = \$2/,
    'So do the keys of its messages.',
  ],
  [
    /\bfrom idempotency_keys where caller = .* and bucket <> /,
    'One machine refuses a key that was used for another place.',
  ],
  [
    /\bfrom (idempotency_keys|events|chat_restrictions|chat_log|wallet_usage|first_contacts|sessions|chain_facts|push_marks|webhook_deliveries|webhook_events|webhook_waiting|drafts|access_notices|unseen_changes) where (expires_ms|ms|to_ms|day|used_ms|told_ms|created_ms) < \$1/,
    'What has expired is deleted, once an hour.',
  ],
  [/\bdelete from comment_threads t where comments = 0/, 'So are threads without comments.'],
  [/\bmax\(id\) from direct_messages\b/, 'The end of the log of one machine.'],
  [
    /\bfrom (direct_messages|group_messages|withheld_posts|events) where id (between|>)/,
    'The log of one machine, in the order of ids.',
  ],
  [/\bfrom chat_rules where retention_days > 0/, 'The chats that keep messages for a time of their own.'],
  [
    /\bfrom group_chats c join communities k on k\.bucket = c\.bucket/,
    'The directory: the largest communities.',
  ],
  [/\bfrom communities k left join group_chats c on c\.bucket = k\.bucket/, 'The directory, by name.'],
  [/\bfrom community_profiles p join communities k\b.* where p\.listed/, 'The directory, in its orders.'],
  [
    /\bselect creator from communities where creator is not null group by creator having/,
    'Who has created many communities, once an hour.',
  ],
  [/\bfrom push_subscriptions where endpoint_hash = /, 'A browser is taken over from another wallet.'],
  [/\bfrom telegram_links where chat_id = /, 'A chat of Telegram that wants no more is told for no wallet.'],
  [/\bfrom names where folded = /, 'A name is looked up, whose wallet is not known.'],
  [/\bfrom settings where verification_hash = /, 'A code is looked up, whose wallet is not known.'],
  [
    /\bfrom webhooks (w )?where (w\.)?is_on and/,
    'What webhooks are told of at all; which have something to tell, once an hour.',
  ],
  [/\bjoin webhooks w on w\.walletaddr = r\.moderator\b/, 'Who moderates a chat has a webhook.'],
  [
    /\bselect distinct w\.walletaddr from unnest\(\$1::text\[\]\) as w /,
    'Which wallets an announcement can reach.',
  ],
  [/\bfrom settings where notify24 /, 'The wallets that want a summary, once a day.'],
]

let stack: AsyncDisposableStack | undefined
let recorded: Recorded
let service: Service
let smtp: Awaited<ReturnType<typeof startSmtp>>
let telegram: Awaited<ReturnType<typeof startTelegram>>
beforeAll(async () => {
  if (citusUrl !== undefined) return
  stack = new AsyncDisposableStack()
  const database = stack.use(await newPartitionedDatabase())
  recorded = stack.use(recordStatements())
  smtp = stack.use(await startSmtp())
  telegram = stack.use(await startTelegram())
  service = stack.use(
    await startService({
      beside: database,
      ...settingsOfAll({ smtp, telegram }),
    }),
  )
})
afterAll(() => stack?.disposeAsync())

onOneMachine('every endpoint answers on tables that are partitioned by bucket', async () => {
  const called = await useEverything(service, { smtp, telegram })
  // Closed chats need a chain elsewhere (gate.test.ts).
  await findInbox(service.ctx.db, 'a', ['b'])
  for (const type of ['nft', 'all']) await countUnread(service.ctx.db, 'a', type, ['b'])
  expect(Object.keys(contract).filter((endpoint) => !called.has(endpoint))).toEqual([])
})

/** Statements that touch more than one partition of a table. */
const scattered = () =>
  [...recorded.touched]
    .filter(([, partitions]) => partitions > 1)
    .map(([text]) => text.replaceAll(/\s+/g, ' '))

onOneMachine('a statement touches one bucket, or is listed here with the reason', () => {
  expect(scattered().filter((text) => !permitted.some(([pattern]) => pattern.test(text)))).toEqual([])
  const needless = permitted.filter(([pattern]) => !scattered().some((text) => pattern.test(text)))
  expect(needless, 'No statement needs these any more.').toEqual([])
})

onOneMachine('a statement without a bucket is reported, also one inside of a function', async () => {
  const { db } = service.ctx
  await db.query('select 1 as one from group_messages where id = $1', [1])
  await db.query('select 1 as one from group_messages where bucket = $1 and id = $2', [1, 1])
  await db.query('select 1 as one from group_messages where bucket = any($1) and id = $2', [[1], 1])
  await db.query(
    `create or replace function forgetful_v1() returns void language plpgsql as $$ begin update group_chats set members = 0; end $$`,
  )
  await db.query('select forgetful_v1() as done')
  // The bucket of one table is not taken for that of another one.
  await db.query(
    `select 1 as one from (select * from conversations where bucket = $1 offset 0) c
     cross join lateral (select * from direct_messages where bucket = c.bucket and conversation_id = c.id limit 1) m`,
    [1],
  )
  const unlisted = scattered().filter((text) => !permitted.some(([pattern]) => pattern.test(text)))
  expect(unlisted).toEqual([
    'select 1 as one from group_messages where id = $1',
    'update group_chats set members = 0',
    expect.stringContaining('offset 0'),
  ])
  await db.query('drop function forgetful_v1()')
})

onOneMachine('no table is missed, and no statement was left out since', async () => {
  const tables = await service.ctx.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace`,
  )
  // That one is of the operator's import alone.
  recorded.tables.add('imports')
  expect(tables.map(({ name }) => name).filter((name) => !recorded.tables.has(name))).toEqual([])
  expect(recorded.texts.size).toBeGreaterThan(150)
})

onOneMachine('no statement of a function is missed', async () => {
  const functions = await service.ctx.db.query<{ name: string; body: string }>(
    `select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  const known = [...recorded.touched.keys(), ...recorded.texts].map(plain)
  const names = new Set(functions.map(({ name }) => name))
  const next = (name: string) => name.replace(/\d+$/, (version) => String(Number(version) + 1))
  for (const { name, body } of functions) {
    // The release before calls it, and it was checked there.
    if (names.has(next(name)) && name !== 'post_group_message_v1') continue
    const isCalled = [...known, ...functions.map((caller) => caller.body)].some((text) =>
      text.includes(`${name}(`),
    )
    expect(isCalled || name === 'bucket_of' || name === 'chat_bucket', name).toBe(true)
    for (const statement of writesOf(body))
      expect(
        known.some((text) => text.startsWith(statement)),
        `${name}: ${statement}`,
      ).toBe(true)
  }
})

/** A cluster reads the log in another way. The job queue is not ours, and lies on the coordinator. */
const elsewhere =
  /^\s*(with snapshot as|select snapshot\.\*|select \(select id from events_forgotten\) as forgotten)|"graphile_worker"\./

/** Stable in older versions of PostgreSQL, which a cluster may have. */
const onceStable = ['convert_from', 'convert_to']

onOneMachine('statements and functions have nothing that a cluster refuses', async () => {
  const { db } = service.ctx
  const keys = await db.query<{ table: string; key: 'bucket' | 'wbucket' }>(
    `select relname as table, attname as key from pg_class c join pg_attribute on attrelid = c.oid and attnum = 1
     where relnamespace = 'public'::regnamespace and relkind = 'p' and attname in ('bucket', 'wbucket')`,
  )
  const mutable = await db.query<{ name: string }>(
    `select proname as name from pg_proc where provolatile <> 'i'`,
  )
  const schema: Schema = {
    keys: new Map(keys.map(({ table, key }) => [table, key])),
    mutable: new Set([...mutable.map(({ name }) => name), ...onceStable]),
  }
  const functions = await db.query<{ body: string }>(
    `select prosrc as body from pg_proc where pronamespace = 'public'::regnamespace and proname <> 'next_id_v1'`,
  )
  const texts = [...recorded.texts].filter((text) => !elsewhere.test(text))
  expect([...texts, ...functions.map(({ body }) => body)].flatMap((text) => faultsOf(text, schema))).toEqual(
    [],
  )
})

const plain = (text: string) => text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()

/** How each statement begins with which a function changes tables. */
const writesOf = (body: string) =>
  plain(body)
    .split(';')
    .flatMap(
      (part) => /\b(with \w+ as \(|insert into |delete from |update (?!set )).{1,60}/.exec(part)?.[0] ?? [],
    )
