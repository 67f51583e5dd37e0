// The PostgreSQL that Parley brings along, for those who do not set DATABASE_URL.
//
// Its life follows the service's. A start finds the programs, opens the cluster below DATA_DIR (creating it the
// first time), makes sure that nobody else runs on it, and starts PostgreSQL on a unix socket in a private
// directory. While the service lives, a PostgreSQL that dies is started again in the same place, so the URL
// stays valid. At the end it is stopped with a checkpoint. When the service is killed, the kernel tells
// PostgreSQL to stop; should one survive nevertheless, the next start stops it.
//
// Nothing but PostgreSQL's own files and the kernel's locks says who owns a DATA_DIR, so nothing stale can stay
// behind. The settings that make an acknowledged commit durable are never touched.

import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openCluster } from './cluster.ts'
import { errorCode, type Account } from './host.ts'
import { readPidFile, removeEmptySocketDirs } from './postmaster.ts'
import { startServer, type Server, type ServerOptions } from './server.ts'

export interface EmbeddedDatabase extends AsyncDisposable {
  /** A connection string for `pg`, valid until the database is disposed of. */
  url: string
}

export interface EmbeddedOptions {
  dataDir: string
  /** Receives what an operator should know, one short line at a time. */
  log: (message: string) => void
  /** PostgreSQL settings on top of Parley's own, by name. */
  settings?: Record<string, string>
}

/** Starts Parley's own PostgreSQL on `<dataDir>/postgres`; throws when another service runs on it. */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await openCluster(resolve(dataDir), log)
  const socketDir = await createSocketDir(cluster.account)
  const stop = new AbortController()
  const options = { cluster, socketDir, settings, log, signal: stop.signal }
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
  return { url, [Symbol.asyncDispose]: dispose }
}

/**
 * The URL of the database that a running service keeps in `dataDir`, from what its PostgreSQL wrote down; undefined when
 * none runs there. Only the account that the database runs as, and root, may enter its socket's directory.
 */
export async function findRunning(dataDir: string): Promise<string | undefined> {
  const file = await readPidFile(join(resolve(dataDir), 'postgres'))
  if (file?.state !== 'ready') return undefined
  const url = databaseUrl(file.socketDir, 'parley')
  try {
    await query(url, 'select')
    return url
  } catch (error) {
    // What a killed one left behind.
    if (['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

/** Keeps PostgreSQL running until told to stop. */
async function supervise(first: Server, options: ServerOptions): Promise<void> {
  const { log, signal } = options
  const told = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
  let server: Server | undefined = first
  let pause = 0
  while (server) {
    const since = Date.now()
    const how = await Promise.race([server.exited, told])
    if (signal.aborted) return server.stop()
    log(`PostgreSQL ended unexpectedly (${how ?? 'unknown'}); starting it again`)
    if (Date.now() - since > 10_000) pause = 0
    server = undefined
    while (!server && !signal.aborted) {
      await Promise.race([sleep(pause, undefined, { ref: false }), told])
      pause = Math.min(5_000, pause * 2 || 100)
      server = await startServer(options).catch((error: Error) => {
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
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Says everything that `pg` would otherwise take from PG* variables of the environment. */
function databaseUrl(socketDir: string, database: string): string {
  return `postgres://parley@localhost/${database}?host=${socketDir}&port=5432&sslmode=disable`
}

/** Makes a directory for the socket: private, and short, since the kernel allows a socket's path ~100 bytes. */
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
