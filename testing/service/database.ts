import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { layouts } from '../../server/src/cluster/layout.ts'
import { findLayout } from '../../server/src/db/layout.ts'
import { connect } from '../../server/src/db/pool.ts'
import { citusUrl, copyOnCluster } from './citus.ts'
import { templateDatabase } from './global-setup.ts'

/** Returns the URL of a database on the PostgreSQL that this worker's tests use. */
export function serverUrl(): string {
  const urls = inject('databaseUrls')
  const worker = Number(process.env.VITEST_POOL_ID)
  return urls[(worker - 1) % urls.length]!
}

/** Makes a database of a test's own, dropped at its end: a copy of the template, or an empty one. */
export async function newDatabase(template = 'template1') {
  const name = `test_${randomBytes(6).toString('hex')}`
  if (citusUrl !== undefined && template === templateDatabase) return copyOnCluster(name, template)
  // Copying files is faster than writing the copy to the log, which is the default.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return {
    databaseUrl: Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href,
    [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`),
  }
}

/** Opens a pool as the service has it, with fewer connections. */
export const openPool = async (databaseUrl: string, size = 8) =>
  connect(databaseUrl, {
    size,
    layout: layouts[citusUrl === undefined ? 'machine' : await findLayout(databaseUrl)],
  })

/** Makes a database of a test's own with all tables, and a pool on it, for what needs no service. */
export async function newMigratedDatabase() {
  await using stack = new AsyncDisposableStack()
  const { databaseUrl } = stack.use(await newDatabase(templateDatabase))
  const db = stack.use(await openPool(databaseUrl))
  const open = stack.move()
  return { db, databaseUrl, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Has the connection of this worker on which databases are made and dropped: a new one costs as much as some statements. */
let server: pg.Pool | undefined

async function onServer(sql: string): Promise<void> {
  server ??= openServer()
  await server.query(sql)
}

function openServer(): pg.Pool {
  const pool = new pg.Pool({
    connectionString: serverUrl(),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    // An empty database is only on the coordinator.
    ...(citusUrl !== undefined && { options: '-c citus.enable_create_database_propagation=off' }),
  })
  // The server of the tests stops before the worker's process ends.
  return pool.on('error', () => {})
}
