import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../config/settings.ts'
import { newDatabase, newMigratedDatabase } from '../../../testing/service/database.ts'
import { layouts } from '../cluster/layout.ts'
import { migrateAll, schema } from '../jobs/migrate.ts'
import { isMigrated } from './migrate.ts'
import { openDatabase } from './open.ts'

const toOpen = { schema, layouts }

const folder = path.join(import.meta.dirname, '../../migrations')

async function readAll() {
  const files = (await readdir(folder)).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return files.map((file, i) => ({ file, text: texts[i]! }))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const statementsOf = (text: string) =>
  text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean)

/** These statements could break the previous release. */
const contracts =
  /^drop |^truncate |\bdrop column\b|\brename\b|\balter column \w+ (set data )?type\b|\bset not null\b/
/** These statements hold a lock for a time that grows with the table; they are harmless on a table made in the same file. */
const locks =
  /^create (unique )?index (?!concurrently)|\badd (constraint|check|foreign key|unique|primary key)\b(?!.*not valid)|\badd column .*\bnot null\b(?!.*default)/

const tableOf = (statement: string) => /(?: on|alter table(?: only)?) (\w+)/.exec(statement)?.[1]

function breaches(text: string): string[] {
  const made = new Set(
    Array.from(text.matchAll(/create (?:unlogged )?table (\w+)/gi), ([, name]) => name!.toLowerCase()),
  )
  return statementsOf(text).filter((statement) => {
    if (made.has(tableOf(statement) ?? '')) return false
    return (
      (contracts.test(statement) && !/^-- contract: \S/m.test(text)) ||
      (locks.test(statement) && !/^-- locks: \S/m.test(text))
    )
  })
}

// No one has a database of an earlier release. From then on the rules hold.
const lastOfFirstRelease = '0015_programs.sql'

/**
 * This has the SHA-256 of each file as it was released, which a release adds: a database that has run a file never runs it again.
 */
const released: Record<string, string> = {}

test('a released migration is never edited or removed', async () => {
  const files = new Map((await readAll()).map(({ file, text }) => [file, sha256(text)]))
  for (const [file, hash] of Object.entries(released)) expect(files.get(file), file).toBe(hash)
})

test('no two migrations have the same number', async () => {
  const numbers = (await readAll()).map(({ file }) => /^\d{4}(?=_[a-z_]+\.sql$)/.exec(file)?.[0])
  expect(numbers).toEqual([...new Set(numbers)])
  expect(numbers).not.toContain(undefined)
})

test('no migration removes what the release before uses, or locks a table for long, without a comment that says so', async () => {
  const later = (await readAll()).filter(({ file }) => file > lastOfFirstRelease)
  for (const { file, text } of later) expect(breaches(text), file).toEqual([])
})

test('the rule catches what it is for', () => {
  expect(breaches('drop table comments;')).toHaveLength(1)
  expect(breaches('alter table comments rename column message to text;')).toHaveLength(1)
  expect(breaches('alter table comments alter column message type bytea;')).toHaveLength(1)
  expect(breaches('alter table comments add column a text not null;')).toHaveLength(1)
  expect(breaches('create index a on comments (message);')).toHaveLength(1)
  expect(breaches('alter table comments add check (message <> $$$$);')).toHaveLength(1)
  expect(breaches('-- contract: not used since 1.4\ndrop table comments;')).toEqual([])
  expect(breaches('alter table comments add check (message <> $$$$) not valid;')).toEqual([])
  expect(
    breaches('alter table comments add column a text; create table b (c int); create index d on b (c);'),
  ).toEqual([])
})

test('a database of a Parley before its first release is refused with what to do, and left as it is', async () => {
  await using database = await newDatabase()
  const client = new pg.Client({ connectionString: database.databaseUrl })
  await client.connect()
  await client.query(
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`,
  )
  await client.query(
    `insert into kysely_migration values ('0001_direct_messages.sql', '2026-01-01'), ('0016_copy_versions.sql', '2026-01-01')`,
  )
  const config = { ...readConfig({}), databaseUrl: database.databaseUrl, allowUnsafeDb: true }
  await expect(openDatabase(config, { info: () => {}, warn: () => {} }, toOpen)).rejects.toThrow(
    'The database is that of a Parley before its first release, with other tables, and cannot be brought up to date. Start with an empty DATA_DIR',
  )
  const { rows } = await client.query(`select 1 from pg_class where relname = 'direct_messages'`)
  expect(rows).toEqual([])
  await client.end()
})

test('a release starts on the schema of a later one, and is ready', async () => {
  await using t = await newMigratedDatabase()
  await t.db.query(
    `insert into kysely_migration (name, timestamp) values ('9998_later.sql', '2030-01-01T00:00:00.000Z'), ('9999_later.sql', '2030-01-01T00:00:00.000Z')`,
  )
  await t.db.query('create table of_a_later_release (id integer)')
  await migrateAll(t.databaseUrl)
  expect(await isMigrated(t.db)).toBe(true)
  const names = await t.db.query<{ name: string }>('select name from kysely_migration order by name')
  expect(names.slice(-2).map(({ name }) => name)).toEqual(['9998_later.sql', '9999_later.sql'])
})

test('a migration that waits for a lock gives up, logs it, and is tried again', async () => {
  await using t = await newMigratedDatabase()
  const holder = new pg.Client({ connectionString: t.databaseUrl })
  // Should the test end early, its database is dropped with this connection open.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table kysely_migration in access exclusive mode')
  const said: string[] = []
  const opening = openDatabase(
    { ...readConfig({}), databaseUrl: t.databaseUrl, allowUnsafeDb: true },
    { info: () => {}, warn: (message) => void said.push(message) },
    toOpen,
  )
  await expect.poll(() => said.length, { timeout: 15_000 }).toBe(1)
  expect(said[0]).toMatch(/a migration waits for a lock/)
  await holder.query('rollback')
  await holder.end()
  await using _open = await opening
})
