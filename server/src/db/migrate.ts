import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Migration } from 'kysely/migration'
import type pg from 'pg'
import { newPool } from './client.ts'
import type { Db } from './pool.ts'

const folder = path.join(import.meta.dirname, '../../migrations')

/**
 * Makes connections for migrations. All other statements on a table wait behind a migration that waits for its lock, so it fails
 * after five seconds, is rolled back and retried.
 */
export const newMigrationPool = (url: string): pg.Pool =>
  newPool({
    url,
    name: 'parley migrations',
    // The last setting is for a cluster, where one transaction changes functions and tables only over one connection to each
    // node. Other databases do not know it.
    settings: { lock_timeout: '5s', 'citus.multi_shard_modify_mode': 'sequential' },
    max: 2,
    connectionTimeoutMillis: 10_000,
  })

/** Brings the tables of the service up to date, or up to a migration. A lock ensures that only one of two instances does it. */
export async function migrate(databaseUrl: string, upTo?: string): Promise<void> {
  const pool = newMigrationPool(databaseUrl)
  try {
    if (upTo === undefined && (await isUpToDate(pool))) return
    await migrateBy(pool, upTo)
  } finally {
    await pool.end()
  }
}

async function migrateBy(pool: pg.Pool, upTo: string | undefined): Promise<void> {
  // A start that has nothing to migrate does without the library.
  const [{ Kysely, PostgresDialect }, { Migrator }] = await Promise.all([
    import('kysely'),
    import('kysely/migration'),
  ])
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  // This runs under the lock.
  const getMigrations = async () => {
    const applied = await appliedMigrations(pool)
    if (await isOfOldLayout(applied)) throw new Error(oldLayout)
    return { ...(await readMigrations()), ...(await laterMigrations(applied)) }
  }
  const migrator = new Migrator({ db, provider: { getMigrations } })
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error) throw error
}

/** Returns true when every migration of this release was applied. What a release applies is committed at once. */
export async function isUpToDate(on: pg.Pool | pg.ClientBase): Promise<boolean> {
  const applied = await appliedMigrations(on)
  const files = await listMigrations()
  return !(await isOfOldLayout(applied)) && files.every((name) => applied.includes(name))
}

/** Returns the names of all migrations, in order. */
export const listMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()

/**
 * Returns true when the applied migrations are those of a Parley before its first release, which had other files: its tables were
 * different, and no upgrade leads from them to these.
 */
export async function isOfOldLayout(applied: string[]): Promise<boolean> {
  const files = await listMigrations()
  return applied.some((name) => name <= files.at(-1)! && !files.includes(name))
}

const oldLayout =
  'The database is that of a Parley before its first release, with other tables, and cannot be brought up to date. ' +
  'Start with an empty DATA_DIR, or with an empty database at DATABASE_URL.'

/** Returns the names of the applied migrations of a database, in order; none before the first start of a Parley. */
export async function appliedMigrations(on: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows: known } = await on.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
  )
  if (!known[0]!.found) return []
  const { rows } = await on.query<{ name: string }>(
    'select name from kysely_migration order by name collate "C"',
  )
  return rows.map(({ name }) => name)
}

/**
 * Returns the applied migrations of a later release. This release can still run beside it or again after it, because a release
 * only removes what the one before it no longer uses (CONTRIBUTING.md). There is nothing left to do for them.
 */
async function laterMigrations(applied: string[]): Promise<Record<string, Migration>> {
  const last = (await listMigrations()).at(-1)!
  const later = applied.filter((name) => name > last)
  return Object.fromEntries(later.map((name) => [name, { up: async () => {} }]))
}

/** Returns true when every migration of this release was applied. */
export async function isMigrated(db: Db): Promise<boolean> {
  newest ??= (await listMigrations()).at(-1)!
  const [found] = await db.query<{ done: boolean }>(
    'select exists (select 1 from kysely_migration where name = $1) as done',
    [newest],
  )
  return found!.done
}

let newest: string | undefined

async function readMigrations(): Promise<Record<string, Migration>> {
  const { sql } = await import('kysely')
  const files = await listMigrations()
  const migrations = await Promise.all(
    files.map(async (file): Promise<[string, Migration]> => {
      const text = await readFile(path.join(folder, file), 'utf8')
      return [file, { up: async (db) => void (await sql.raw(text).execute(db)) }]
    }),
  )
  return Object.fromEntries(migrations)
}
