import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'
import { newPool } from './client.ts'
import type { Db } from './pool.ts'

const folder = path.join(import.meta.dirname, '../../migrations')

/**
 * Connections for migrations. All other statements on a table wait behind a migration that waits
 * for its lock, so it fails after five seconds, is rolled back and tried again.
 */
export const newMigrationPool = (url: string): pg.Pool =>
  newPool({
    url,
    name: 'parley migrations',
    settings: { timezone: 'UTC', lock_timeout: '5s' },
    max: 2,
    connectionTimeoutMillis: 10_000,
  })

/**
 * Brings the tables of the service up to date, or up to a migration; under a lock, so that of two
 * instances one does it.
 */
export async function migrate(databaseUrl: string, upTo?: string): Promise<void> {
  const pool = newMigrationPool(databaseUrl)
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  try {
    // Asked for under the lock.
    const getMigrations = async () => ({ ...(await readMigrations()), ...(await laterMigrations(pool)) })
    const migrator = new Migrator({ db, provider: { getMigrations } })
    const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

/** The names of all migrations, in order. */
export const listMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()

/**
 * Migrations of a later release that were applied already. This release can still run beside it or
 * again after it, because a release only removes what the one before it no longer uses
 * (CONTRIBUTING.md). There is nothing left to do for them.
 */
async function laterMigrations(pool: pg.Pool): Promise<Record<string, Migration>> {
  const { rows: known } = await pool.query(`select to_regclass('kysely_migration') is not null as found`)
  if (!known[0].found) return {}
  const newest = (await listMigrations()).at(-1)!
  const { rows } = await pool.query<{ name: string }>(
    'select name from kysely_migration where name > $1 collate "C" order by name',
    [newest],
  )
  return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => {} }]))
}

/** Whether every migration of this release has been done. */
export async function isMigrated(db: Db): Promise<boolean> {
  newest ??= (await listMigrations()).at(-1)!
  const [found] = await db.query<{ done: boolean }>(
    'select exists (select from kysely_migration where name = $1) as done',
    [newest],
  )
  return found!.done
}

let newest: string | undefined

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = await listMigrations()
  const migrations = await Promise.all(
    files.map(async (file): Promise<[string, Migration]> => {
      const text = await readFile(path.join(folder, file), 'utf8')
      return [file, { up: async (db) => void (await sql.raw(text).execute(db)) }]
    }),
  )
  return Object.fromEntries(migrations)
}
