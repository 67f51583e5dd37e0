import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../config/settings.ts'
import { newDatabase } from '../../../testing/database.ts'
import { startService } from '../../../testing/service.ts'
import { migrateAll } from '../jobs/migrate.ts'
import { isMigrated } from './migrate.ts'
import { openDatabase } from './open.ts'

const folder = path.join(import.meta.dirname, '../../migrations')

async function readAll() {
  const files = (await readdir(folder)).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return files.map((file, i) => ({ file, text: texts[i]! }))
}

const statementsOf = (text: string) =>
  text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean)

/** Statements that could break the release before. */
const contracts =
  /^drop |^truncate |\bdrop column\b|\brename\b|\balter column \w+ (set data )?type\b|\bset not null\b/
/**
 * Statements that hold a lock for a time that grows with the table; harmless on a table made in the
 * same file.
 */
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

// No one has a database of a release before this one. From then on the rule holds.
const lastOfFirstRelease = '0013_last_messages.sql'

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

test('what a release before has stored is shown by this one, and what it goes on to store', async () => {
  await using database = await newDatabase()
  await migrateAll(database.databaseUrl, '0014_inbox.sql')
  const client = new pg.Client({ connectionString: database.databaseUrl })
  await client.connect()
  const profiles = async () =>
    (await client.query('select address, name, logo from profiles order by address')).rows
  await client.query(
    `insert into names (address, name, folded) values ('a', '"A"', '"a"'), ('b', 'B', 'b');
     insert into images (addr, base64data, thumbnail) values ('b', '', 'data:b'), ('c', '', 'data:c')`,
  )
  await migrateAll(database.databaseUrl)
  expect(await profiles()).toEqual([
    { address: 'a', name: String.raw`"\"A\""`, logo: null },
    { address: 'b', name: '"B"', logo: '"data:b"' },
    { address: 'c', name: null, logo: '"data:c"' },
  ])
  await client.query(
    `update names set name = 'BB' where address = 'b'; delete from names where address = 'a';
     delete from images where addr = 'b'; insert into images (addr, base64data, thumbnail) values ('d', '', 'data:d')`,
  )
  expect(await profiles()).toEqual([
    { address: 'b', name: '"BB"', logo: null },
    { address: 'c', name: null, logo: '"data:c"' },
    { address: 'd', name: null, logo: '"data:d"' },
  ])
  await client.end()
})

test('a release starts on the schema of a later one, and is ready', async () => {
  await using service = await startService()
  await service.ctx.db.query(
    `insert into kysely_migration (name, timestamp) values ('9998_later.sql', '2030-01-01T00:00:00.000Z'), ('9999_later.sql', '2030-01-01T00:00:00.000Z')`,
  )
  await service.ctx.db.query('create table of_a_later_release (id integer)')
  await migrateAll(service.databaseUrl)
  expect(await isMigrated(service.ctx.db)).toBe(true)
  const names = await service.ctx.db.query<{ name: string }>(
    'select name from kysely_migration order by name',
  )
  expect(names.slice(-2).map(({ name }) => name)).toEqual(['9998_later.sql', '9999_later.sql'])
})

test('a migration that waits for a lock gives up, logs it, and is tried again', async () => {
  await using service = await startService()
  const holder = new pg.Client({ connectionString: service.databaseUrl })
  // Should the test end early, its database is dropped with this connection open.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table kysely_migration in access exclusive mode')
  const said: string[] = []
  const opening = openDatabase(
    { ...readConfig({}), databaseUrl: service.databaseUrl },
    { info: () => {}, warn: (message) => void said.push(message) },
    migrateAll,
  )
  await expect.poll(() => said.length, { timeout: 15_000 }).toBe(1)
  expect(said[0]).toMatch(/a migration waits for a lock/)
  await holder.query('rollback')
  await holder.end()
  await using _open = await opening
})
