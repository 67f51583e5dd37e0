import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { migrate } from '../db/migrate.ts'
import { jobsSchema } from './queue.ts'

/** Brings all tables up to date: those of the service, or these up to a migration, and those of the job queue. */
export async function migrateAll(databaseUrl: string, upTo?: string): Promise<void> {
  await migrate(databaseUrl, upTo)
  await migrateJobs(databaseUrl)
}

const jobsLock = 7_102_394_826

async function migrateJobs(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: 10_000,
    application_name: 'parley migrations',
    options: '-c timezone=UTC -c lock_timeout=5s',
  })
  // The job queue wants to know that somebody listens; whoever runs a query is told of its failure anyway.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  try {
    const holder = await pool.connect()
    try {
      await holder.query('select pg_advisory_lock($1)', [jobsLock])
      await runMigrations({ pgPool: pool, schema: jobsSchema, logger: new Logger(() => () => {}) })
    } finally {
      // Closing the connection gives the lock back, whatever became of it.
      holder.release(true)
    }
  } finally {
    await pool.end()
  }
}
