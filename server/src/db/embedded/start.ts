// This is the embedded PostgreSQL, for people who do not set DATABASE_URL.
//
// A start finds the programs, opens the cluster below DATA_DIR (creating it the first time), makes sure that no other PostgreSQL
// runs on it, and starts PostgreSQL on a unix socket in a private directory. While the service runs, a PostgreSQL that dies is
// started again in the same place, so the URL stays valid. When the service ends, PostgreSQL is stopped with a checkpoint. When
// the service is killed, the kernel signals PostgreSQL to stop; if it still runs, the next start stops it.
//
// PostgreSQL's own files and the kernel's locks alone say which service uses a DATA_DIR, so no record of ours can be stale. The
// settings that make an acknowledged commit durable are never changed.

import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { delay, whenAborted } from '../../lib/abort.ts'
import { createBackoff } from '../../lib/backoff.ts'
import { newClient } from '../client.ts'
import { openCluster } from './cluster.ts'
import { type Account, errorCode } from './host.ts'
import { readPidFile, removeEmptySocketDirs } from './postmaster.ts'
import { type Disk, openReserve, type Reserve } from './reserve.ts'
import { type Server, type ServerOptions, startServer } from './server.ts'

export interface EmbeddedDatabase extends AsyncDisposable {
  /** This is a connection string for `pg`, valid until the database is disposed of. */
  url: string
  disk: Disk
}

export interface EmbeddedOptions {
  dataDir: string
  /** Receives messages for the operator, one short line each time. */
  log: (message: string) => void
  /** PostgreSQL uses these settings on top of Parley's own, by name. */
  settings?: Record<string, string>
  /** This many bytes of the disk stay free (reserve.ts); when left out, nothing watches the disk. */
  reserve?: number | 'usual'
  onLaunch?: (() => void) | undefined
}

/**
 * Starts Parley's own PostgreSQL on `<dataDir>/postgres`; throws when another service runs on it.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  reserve,
  onLaunch,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  await using stack = new AsyncDisposableStack()
  const disk = openReserve({
    dataDir: resolve(dataDir),
    bytes: reserve === 'usual' ? undefined : reserve,
    log,
  })
  // The code below reports a problem with the directory.
  await disk.makeRoom().catch(() => {})
  const cluster = await openCluster(resolve(dataDir), log)
  const socketDir = await createSocketDir(cluster.account)
  const stop = new AbortController()
  const options = {
    cluster,
    socketDir,
    settings,
    log,
    signal: stop.signal,
    makeRoom: disk.makeRoom,
    onLaunch,
  }
  let supervisor: Promise<void> | undefined
  const url = databaseUrl(socketDir, 'parley')
  const dispose = async (): Promise<void> => {
    stop.abort()
    await supervisor
    await rm(socketDir, { recursive: true, force: true })
  }
  try {
    const server = await startServer(options)
    supervisor = supervise(server, options)
    await createDatabase(socketDir)
  } catch (error) {
    await dispose()
    throw error
  }
  stack.defer(dispose)
  if (reserve !== undefined) stack.use(await disk.watch())
  const open = stack.move()
  return { url, disk, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/**
 * Returns the URL of the database that a running service has in `dataDir`, read from the file of its PostgreSQL; undefined when
 * none runs there. Only root and the account that PostgreSQL runs as may use it.
 */
export async function findRunning(dataDir: string): Promise<string | undefined> {
  const file = await readPidFile(join(resolve(dataDir), 'postgres'))
  if (file?.state !== 'ready') return undefined
  const url = databaseUrl(file.socketDir, 'parley')
  try {
    await query(url, 'select')
    return url
  } catch (error) {
    // A killed PostgreSQL left the file behind.
    if (['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

/** Keeps PostgreSQL running until the signal is aborted. */
async function supervise(first: Server, options: ServerOptions & Pick<Reserve, 'makeRoom'>): Promise<void> {
  const { log, signal, makeRoom } = options
  const aborted = whenAborted(signal)
  const backoff = createBackoff({ first: 100, longest: 5_000, atOnce: true })
  let server: Server | undefined = first
  while (server) {
    const started = Date.now()
    const cause = await Promise.race([server.exited, aborted])
    if (signal.aborted) return server.stop()
    log(`PostgreSQL ended unexpectedly (${cause ?? 'unknown'}); starting it again`)
    if (Date.now() - started > 10_000) backoff.reset()
    server = undefined
    while (!server && !signal.aborted) {
      await delay(backoff.next(), signal)
      const start = makeRoom().then(() => startServer(options))
      server = await start.catch((error: Error) => {
        if (!signal.aborted) log(error.message)
        return undefined
      })
    }
  }
}

async function createDatabase(socketDir: string): Promise<void> {
  try {
    await query(databaseUrl(socketDir, 'parley'), 'select')
  } catch (error) {
    if (errorCode(error) !== '3D000') throw error
    await query(databaseUrl(socketDir, 'postgres'), 'create database parley')
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = newClient({ url, name: 'parley start' })
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The URL is complete: `pg` would read missing parts from the PG* variables of the environment. */
const databaseUrl = (socketDir: string, database: string): string =>
  `postgres://parley@localhost/${database}?host=${socketDir}&port=5432&sslmode=disable`

/**
 * Makes a private directory for the socket, with a short path: the kernel allows about 100 bytes.
 */
async function createSocketDir(account: Account | undefined): Promise<string> {
  for (const base of [tmpdir(), '/tmp', '/var/tmp']) {
    if (!/^[\w/.+-]{1,60}$/.test(base) || (account && !(await isOpenToAll(base)))) continue
    await removeEmptySocketDirs(base)
    const directory = await mkdtemp(join(base, `parley-${process.pid}-`)).catch(() => undefined)
    if (!directory) continue
    if (account) await chown(directory, account.uid, account.gid)
    return directory
  }
  throw new Error(`PostgreSQL needs a directory for its socket, and neither ${tmpdir()} nor /tmp will do.`)
}

async function isOpenToAll(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found || (found.mode & 0o001) === 0) return false
  return dirname(path) === path || isOpenToAll(dirname(path))
}
