import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { listMigrations } from '../../server/src/db/migrate.ts'
import { migrateAll } from '../../server/src/jobs/migrate.ts'
import { newDatabase } from './database.ts'

const migrations = path.join(import.meta.dirname, '../../server/migrations')

/** The number of partitions of a table with a bucket. */
const partitions = 8

/**
 * A database of a test's own with the tables of the migrations; each that has a bucket is partitioned by it. Plans then show
 * which statements stay in one bucket, and unique indexes must hold the bucket: as on a cluster.
 */
export async function newPartitionedDatabase() {
  await using stack = new AsyncDisposableStack()
  const { databaseUrl } = stack.use(await newDatabase())
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const files = await listMigrations()
    for (const file of files) {
      const text = await readFile(path.join(migrations, file), 'utf8')
      await client.query(text.replaceAll(createTable, partitionedByBucket))
    }
    await client.query(
      'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
    )
    await client.query(
      `insert into kysely_migration select name, '2026-01-01T00:00:00.000Z' from unnest($1::text[]) name`,
      [files],
    )
  } finally {
    await client.end()
  }
  await migrateAll(databaseUrl)
  const open = stack.move()
  return { databaseUrl, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const createTable = /^create table (\w+) \(\n([^]*?)^\)( with \([^)]*\))?;/gm

/** The bucket is the first column of all tables that have one. */
function partitionedByBucket(statement: string, table: string, columns: string): string {
  const [, key] = /^ {2}(w?bucket) integer/.exec(columns) ?? []
  if (!key) return statement
  const parts = Array.from(
    { length: partitions },
    (_, n) =>
      `create table ${table}_p${n} partition of ${table} for values with (modulus ${partitions}, remainder ${n});`,
  )
  return [`create table ${table} (\n${columns}) partition by hash (${key});`, ...parts].join('\n')
}

/** Returns the table of a partition. */
export const partitionOf = (relation: string): string | undefined => /^(\w+)_p\d$/.exec(relation)?.[1]
