import type pg from 'pg'
import project from '../../package.json' with { type: 'json' }
import { isUpToDate, migrate, newMigrationPool } from '../db/migrate.ts'
import type { Schema } from '../db/open.ts'
import { jobsSchema } from './queue.ts'

/** All tables: those of the service and those of the job queue. */
export const schema: Schema = {
  isUpToDate: async (on) => (await isUpToDate(on)) && (await areJobsUpToDate(on)),
  migrate: migrateAll,
}

/**
 * Brings all tables up to date: those of the service, or these up to a migration, and those of the
 * job queue.
 */
export async function migrateAll(databaseUrl: string, upTo?: string): Promise<void> {
  await migrate(databaseUrl, upTo)
  await migrateJobs(databaseUrl)
}

const jobsLock = 7_102_394_826

/** The tables of the job queue are those of this release of the library. The comment of their schema names it. */
const jobsRelease = `graphile-worker ${project.dependencies['graphile-worker']}`

async function areJobsUpToDate(on: pg.ClientBase): Promise<boolean> {
  const { rows } = await on.query<{ release: string | null }>(
    `select obj_description(to_regnamespace($1), 'pg_namespace') as release`,
    [jobsSchema],
  )
  return rows[0]!.release === jobsRelease
}

async function migrateJobs(databaseUrl: string): Promise<void> {
  // A start that has nothing to migrate does without the library.
  const { Logger, runMigrations } = await import('graphile-worker')
  const pool = newMigrationPool(databaseUrl)
  try {
    const holder = await pool.connect()
    try {
      await holder.query('select pg_advisory_lock($1)', [jobsLock])
      await runMigrations({ pgPool: pool, schema: jobsSchema, logger: new Logger(() => () => {}) })
      await holder.query(`comment on schema ${jobsSchema} is '${jobsRelease}'`)
    } finally {
      // The lock ends with its connection, so this one is closed instead of reused.
      holder.release(true)
    }
  } finally {
    await pool.end()
  }
}
