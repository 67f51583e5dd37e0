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
  /** Keeps a copy of the primary for `startSecond`. */
  withSecond?: boolean
}

/** Both have the tables of the service in one database. Both end with the pair. */
export async function startPostgresPair({
  lag = 0,
  settings = {},
  standbySettings = {},
  withSecond = false,
}: Options = {}) {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await newFolder('pair'))
  const primaryDir = path.join(folder, 'primary')
  const standbyDir = path.join(folder, 'standby')
  const secondDir = path.join(folder, 'second')
  const ofBoth = { max_connections: '200', wal_keep_size: '256MB', ...settings }
  const start = (dataDir: string, own: Record<string, string>) =>
    startEmbedded({ dataDir, log: () => {}, settings: { ...ofBoth, ...own } })
  {
    await using first = await start(primaryDir, {})
    await migrateAll(first.url)
  }
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
    /** Where the standby keeps its files, with the process id of its PostgreSQL. */
    standbyFiles: path.join(standbyDir, 'postgres'),
    /** From now on the standby keeps back each commit for so many milliseconds. Without `lag`. */
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
