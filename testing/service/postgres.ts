// These are a primary and a hot standby of it, from the PostgreSQL that the service has as a package. The standby begins as a
// copy of the primary's files, because that package has no pg_basebackup.

import { execFile } from 'node:child_process'
import { writeFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { newFolder } from './files.ts'
import { migrateAll } from '../../server/src/jobs/migrate.ts'
import { leash } from './leash.ts'

interface Options {
  /** The milliseconds by which the standby delays each commit. */
  lag?: number
  /** Further settings of PostgreSQL, for both or only for the standby. */
  settings?: Record<string, string>
  standbySettings?: Record<string, string>
  /** Stores a copy of the primary for `startSecond`. */
  withSecond?: boolean
  /** For PostgreSQL the pair is another system than all other pairs, which are copies of one. It has no tables. */
  isOtherSystem?: boolean
}

/** Both have the tables of the service in one database. Both end with the pair. */
export async function startPostgresPair({
  lag = 0,
  settings = {},
  standbySettings = {},
  withSecond = false,
  isOtherSystem = false,
}: Options = {}) {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await newFolder('pair'))
  const primaryDir = path.join(folder, 'primary')
  const standbyDir = path.join(folder, 'standby')
  const secondDir = path.join(folder, 'second')
  const ofBoth = { max_connections: '200', wal_keep_size: '256MB', ...settings }
  const start = (dataDir: string, own: Record<string, string>) =>
    startEmbedded({ dataDir, log: () => {}, settings: { ...ofBoth, ...own } })
  if (isOtherSystem) await (await start(primaryDir, {}))[Symbol.asyncDispose]()
  else await copyMigrated(primaryDir)
  for (const copy of withSecond ? [standbyDir, secondDir] : [standbyDir]) {
    await promisify(execFile)('cp', ['-a', primaryDir, copy])
    await writeFile(path.join(copy, 'postgres/standby.signal'), '')
  }

  const primary = await start(primaryDir, {})
  let isPrimaryUp = true
  const stopPrimary = async () => {
    if (isPrimaryUp) await primary[Symbol.asyncDispose]()
    isPrimaryUp = false
  }
  stack.defer(stopPrimary)
  const following = (url: string) => ({
    primary_conninfo: `host=${new URL(url).searchParams.get('host')} port=5432 user=parley`,
    wal_retrieve_retry_interval: '100ms',
  })
  const startStandby = () =>
    start(standbyDir, {
      ...following(primary.url),
      ...(lag > 0 && { recovery_min_apply_delay: `${lag}ms` }),
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
    /** The folder of the standby's files, with the process id of its PostgreSQL. */
    standbyFiles: path.join(standbyDir, 'postgres'),
    /** From now on the standby delays each commit by `milliseconds`. This works without `lag`. */
    delay: async (milliseconds: number) => {
      await query(standbyUrl, `alter system set recovery_min_apply_delay = ${Math.round(milliseconds)}`)
      await query(standbyUrl, 'select pg_reload_conf()')
    },
    /** The standby shows nothing new until `resume`. */
    pause: () => query(standbyUrl, 'select pg_wal_replay_pause()'),
    resume: () => query(standbyUrl, 'select pg_wal_replay_resume()'),
    /** Starts another standby, of the server at this URL. It ends when it is disposed of, and may start again. */
    startSecond: (of: string) => start(secondDir, following(of)),
    /** Ends the primary for good. */
    stopPrimary,
    /** The standby accepts writes from now on. */
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

// This is a database with the tables of the service, made once in a process. Its files are copied, because creating and migrating
// another one takes seconds.

let made: Promise<string> | undefined

async function make(): Promise<string> {
  const { path: folder } = await newFolder('migrated')
  // The folder is removed when this process has ended.
  leash(folder)
  await using database = await startEmbedded({ dataDir: folder, log: () => {} })
  await migrateAll(database.url)
  return folder
}

/** Puts such a database into a data directory: as a service leaves it that was stopped. All copies are one system to PostgreSQL. */
export async function copyMigrated(dataDir: string): Promise<void> {
  made ??= make()
  const files = path.join(await made, 'postgres')
  await mkdir(dataDir, { recursive: true })
  await promisify(execFile)('cp', ['-a', files, dataDir])
}
