import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config/settings.ts'
import { createBackoff } from '../lib/backoff.ts'
import { newClient } from './client.ts'
import { connect, type Pool } from './pool.ts'
import type { Disk } from './embedded/reserve.ts'
import { type EmbeddedDatabase, startEmbedded } from './embedded/start.ts'
import { openStandby, type Standby } from './standby.ts'
import { databaseFailure } from './failures.ts'
import { type Layout, type LayoutName, readLayout } from './layout.ts'

export interface Database extends AsyncDisposable {
  db: Pool
  /** This is the standby of READ_DATABASE_URL. */
  standby: Standby | undefined
  url: string
  /** This is the disk of the embedded database; a database elsewhere watches its own disk. */
  disk: Disk
  /** This is aborted when the database has become a cluster: then only a new process can use it. */
  moved: AbortSignal
}

interface Log {
  info: (message: string) => void
  warn: (message: string) => void
}

/** The tables that a release needs. */
export interface Schema {
  /** Returns true when they are there, also those of a later release. */
  isUpToDate: (on: pg.ClientBase) => Promise<boolean>
  migrate: (databaseUrl: string) => Promise<void>
}

/** The floors above provide these for a database. */
interface Made {
  schema: Schema
  layouts: Record<LayoutName, Layout>
}

/**
 * Opens the database of DATABASE_URL, or else starts the embedded one; then checks it and brings
 * its tables up to date. While it is out of reach, or others hold a lock that a
 * migration needs, this waits until the signal is aborted. An embedded one that was started before belongs to who has started it.
 */
export async function openDatabase(
  config: Config,
  log: Log,
  { schema, layouts }: Made,
  signal?: AbortSignal,
  started?: Promise<EmbeddedDatabase>,
): Promise<Database> {
  await using stack = new AsyncDisposableStack()
  const { databaseUrl, readDatabaseUrl } = config
  const { url, disk } =
    databaseUrl === undefined
      ? await (started ?? startOwnDatabase(config, log).then((own) => stack.use(own)))
      : { url: databaseUrl, disk: { isShort: false } }
  const layout = await untilReady(log, signal, async () => {
    const client = newClient({
      url,
      name: 'parley start',
      // A migration of another instance may hold the table that is read.
      settings: { lock_timeout: '5s' },
      connectionTimeoutMillis: 10_000,
    })
    try {
      await client.connect()
      await requireDurable(client, config.allowUnsafeDb)
      if (!(await schema.isUpToDate(client))) await schema.migrate(url)
      return layouts[await readLayout(client)]
    } finally {
      await client.end().catch(() => {})
    }
  })
  const moved = new AbortController()
  const db = stack.use(
    connect(url, {
      layout,
      size: config.databasePoolSize,
      queue: config.databaseQueue,
      onError: (error) => log.warn(`a database connection was lost: ${error.message}`),
      onReach: (error) =>
        error ? log.warn(`the database is out of reach: ${error.message}`) : log.info('the database is back'),
      onMoved: () => moved.abort(),
    }),
  )
  await untilReady(log, signal, db.learnTime)
  if (readDatabaseUrl !== undefined && !layout.hasStandby)
    throw new Error('READ_DATABASE_URL is for one PostgreSQL and its standby; this database is a cluster.')
  const standby =
    readDatabaseUrl === undefined ? undefined : stack.use(openStandby(readDatabaseUrl, db, url, log))
  const open = stack.move()
  return { db, standby, url, disk, moved: moved.signal, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Starts the embedded database for a number of processes. */
export function startOwnDatabase(
  { dataDir, diskReserve, databasePoolSize }: Config,
  log: Pick<Log, 'info'>,
  processes = 1,
  onLaunch?: () => void,
): Promise<EmbeddedDatabase> {
  // Beside its pool, a process has connections for long reads, jobs, signals and the watch.
  const connections = Math.max(60, (databasePoolSize + 14) * processes + 10)
  return startEmbedded({
    dataDir,
    log: (message) => log.info(message),
    settings: { max_connections: String(connections) },
    reserve: diskReserve === undefined ? 'usual' : diskReserve * 2 ** 20,
    onLaunch,
  })
}

/** Retries until it works, fails for a reason that waiting will not fix, or the signal is aborted. */
async function untilReady<T>(log: Log, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const backoff = createBackoff({ first: 250, longest: 5_000 })
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const failure = databaseFailure(error as Error)
      if (!failure || failure === 'full') throw error
      const why = (error as Error).message || (error as { code?: string }).code
      const pause = backoff.next()
      log.warn(
        failure === 'locked'
          ? `a migration waits for a lock that others hold: ${why}; trying again`
          : `the database is not ready: ${why}; trying again in ${pause / 1000} s`,
      )
      await sleep(pause, undefined, { ...(signal && { signal }) })
    }
  }
}

/** A database that acknowledges a commit before it is on disk would break the promise that an acknowledged message is stored. */
export async function requireDurable(on: pg.ClientBase, allowUnsafe: boolean): Promise<void> {
  const { rows } = await on.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('server_version_num', 'fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
  const version = Number(settings.get('server_version_num'))
  if (version < 150_000)
    throw new Error(`DATABASE_URL must be PostgreSQL 15 or later, this is ${Math.floor(version / 10_000)}`)
  const unsafe = ['fsync', 'synchronous_commit', 'full_page_writes'].filter(
    (name) => settings.get(name) === 'off',
  )
  if (unsafe.length > 0 && !allowUnsafe)
    throw new Error(
      `The database has ${unsafe.join(' and ')} off: a crash could lose messages that were acknowledged. ` +
        'Switch it on, or set ALLOW_UNSAFE_DB=true to take that risk.',
    )
}
