import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Db } from './pool.ts'

const folder = path.join(import.meta.dirname, '../../migrations')

/**
 * Brings the tables of the service up to date, or up to a migration; under a lock, so that two instances do it once. What a migration waits for, everybody else waits for behind it: so it gives up after five seconds, undone, to
 * be tried again.
 */
export async function migrate(databaseUrl: string, upTo?: string): Promise<void> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: 10_000,
    application_name: 'parley migrations',
    options: '-c timezone=UTC -c lock_timeout=5s',
  })
  // Whoever runs a query is told of its failure anyway.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
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
 * Migrations of a later release that the database has had already: this one runs beside it, or instead of it again, because a
 * release only takes away what the one before it no longer uses (CONTRIBUTING.md). They are done, so there is nothing to do.
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
