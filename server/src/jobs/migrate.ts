import { Logger, runMigrations } from 'graphile-worker'
import { migrate, newMigrationPool } from '../db/migrate.ts'
import { jobsSchema } from './queue.ts'

/**
 * Brings all tables up to date: those of the service, or these up to a migration, and those of the
 * job queue.
 */
export async function migrateAll(databaseUrl: string, upTo?: string): Promise<void> {
  await migrate(databaseUrl, upTo)
  await migrateJobs(databaseUrl)
}

const jobsLock = 7_102_394_826

async function migrateJobs(databaseUrl: string): Promise<void> {
  const pool = newMigrationPool(databaseUrl)
  try {
    const holder = await pool.connect()
    try {
      await holder.query('select pg_advisory_lock($1)', [jobsLock])
      await runMigrations({ pgPool: pool, schema: jobsSchema, logger: new Logger(() => () => {}) })
    } finally {
      // The lock ends with its connection, so this one is closed instead of reused.
      holder.release(true)
    }
  } finally {
    await pool.end()
  }
}
