import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config/settings.ts'
import { connect, type Pool } from './pool.ts'
import { startEmbedded } from './embedded/start.ts'
import { databaseFailure } from './failures.ts'

export interface Database extends AsyncDisposable {
  db: Pool
  url: string
}

interface Log {
  info: (message: string) => void
  warn: (message: string) => void
}

/**
 * Opens the database of DATABASE_URL, or else starts the embedded one; checked and migrated by `migrate`. One that is out of reach, or busy
 * with what a migration needs, is waited for until the signal says to give up.
 */
export async function openDatabase(
  config: Config,
  log: Log,
  migrate: (databaseUrl: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<Database> {
  await using stack = new AsyncDisposableStack()
  const url =
    config.databaseUrl ?? stack.use(await startEmbedded({ dataDir: config.dataDir, log: log.info })).url
  await untilReady(log, signal, async () => {
    await requireDurable(url, config.allowUnsafeDb)
    await migrate(url)
  })
  const db = stack.use(
    connect(url, {
      size: config.databasePoolSize,
      queue: config.databaseQueue,
      onError: (error) => log.warn(`a database connection was lost: ${error.message}`),
      onReach: (error) =>
        error ? log.warn(`the database is out of reach: ${error.message}`) : log.info('the database is back'),
    }),
  )
  const open = stack.move()
  return { db, url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const longestPause = 5_000

/** Tries until it works, fails for a reason that no waiting mends, or is told to give up. */
async function untilReady(
  log: Log,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  for (let pause = 250; ; pause = Math.min(longestPause, pause * 2)) {
    try {
      return await work()
    } catch (error) {
      const failure = databaseFailure(error as Error)
      if (!failure || failure === 'full') throw error
      const why = (error as Error).message || (error as { code?: string }).code
      log.warn(
        failure === 'locked'
          ? `a migration waits for a lock that others hold: ${why}; trying again`
          : `the database is not ready: ${why}; trying again in ${pause / 1000} s`,
      )
      await sleep(pause, undefined, { ...(signal && { signal }) })
    }
  }
}

/** A database that acknowledges before it is on disk would break the promise that acknowledged means kept. */
export async function requireDurable(url: string, allowUnsafe: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
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
  } finally {
    await client.end()
  }
}
