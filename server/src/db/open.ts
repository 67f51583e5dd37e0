import pg from 'pg'
import type { Config } from '../core/config.ts'
import { connect, type Pool } from './connect.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

export interface Database extends AsyncDisposable {
  db: Pool
  url: string
}

interface Log {
  info: (message: string) => void
  warn: (message: string) => void
}

/** Opens the database of DATABASE_URL, or else starts the embedded one; checked and migrated. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  await using stack = new AsyncDisposableStack()
  const url =
    config.databaseUrl ?? stack.use(await startEmbedded({ dataDir: config.dataDir, log: log.info })).url
  await requireDurable(url, config.allowUnsafeDb)
  await migrate(url)
  const db = stack.use(
    connect(url, {
      size: config.databasePoolSize,
      onError: (error) => log.warn(`a database connection was lost: ${error.message}`),
    }),
  )
  const open = stack.move()
  return { db, url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** A database that acknowledges before it is on disk would break the promise that acknowledged means kept. */
export async function requireDurable(url: string, allowUnsafe: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
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
