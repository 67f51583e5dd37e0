// A primary and a hot standby of it, from the PostgreSQL that the service brings along. The standby begins as a copy of the
// primary's files, because that package has no pg_basebackup.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { migrateAll } from '../server/src/jobs/migrate.ts'
import { newFolder } from './folder.ts'

interface Options {
  /** How long the standby keeps back each commit, in milliseconds. */
  lag?: number
  /** Further settings of PostgreSQL, of both or of the standby alone. */
  settings?: Record<string, string>
  standbySettings?: Record<string, string>
}

/** Both have the tables of the service in one database. Both end with the pair. */
export async function startPostgresPair({ lag = 0, settings = {}, standbySettings = {} }: Options = {}) {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await newFolder('pair'))
  const primaryDir = path.join(folder, 'primary')
  const standbyDir = path.join(folder, 'standby')
  const ofBoth = { max_connections: '200', wal_keep_size: '256MB', ...settings }
  const start = (dataDir: string, own: Record<string, string>) =>
    startEmbedded({ dataDir, log: () => {}, settings: { ...ofBoth, ...own } })
  {
    await using first = await start(primaryDir, {})
    await migrateAll(first.url)
  }
  await promisify(execFile)('cp', ['-a', primaryDir, standbyDir])
  await writeFile(path.join(standbyDir, 'postgres/standby.signal'), '')

  const primary = await start(primaryDir, {})
  let isPrimaryUp = true
  const stopPrimary = async () => {
    if (isPrimaryUp) await primary[Symbol.asyncDispose]()
    isPrimaryUp = false
  }
  stack.defer(stopPrimary)
  const host = new URL(primary.url).searchParams.get('host')!
  const startStandby = () =>
    start(standbyDir, {
      primary_conninfo: `host=${host} port=5432 user=parley`,
      wal_retrieve_retry_interval: '100ms',
      recovery_min_apply_delay: `${lag}ms`,
      ...standbySettings,
    })
  let standby: Awaited<ReturnType<typeof startStandby>> | undefined = await startStandby()
  const stopStandby = async () => {
    await standby?.[Symbol.asyncDispose]()
    standby = undefined
  }
  stack.defer(stopStandby)
  const standbyUrl = standby.url
  const open = stack.move()
  return {
    primaryUrl: primary.url,
    standbyUrl,
    /** Where the standby keeps its files, with the process id of its PostgreSQL. */
    standbyFiles: path.join(standbyDir, 'postgres'),
    /** The standby shows nothing new until `resume`. */
    pause: () => query(standbyUrl, 'select pg_wal_replay_pause()'),
    resume: () => query(standbyUrl, 'select pg_wal_replay_resume()'),
    /** Ends the primary for good. */
    stopPrimary,
    /** The standby takes writes from now on. */
    promote: () => query(standbyUrl, 'select pg_promote()'),
    /** Ends the standby for good. */
    stopStandby,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
