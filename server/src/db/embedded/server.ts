// This is one run of PostgreSQL, from its start to its exit.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { clusterArgument, lockedExitCode, spawnProgram } from './host.ts'
import {
  endOrphanedBackends,
  inUse,
  readPidFile,
  removeStaleSocketDir,
  stopSignalAfter,
  waitUntilFree,
} from './postmaster.ts'

export interface Server {
  /** Resolves when PostgreSQL has ended, with its exit code or signal in words. */
  exited: Promise<string>
  stop: () => Promise<void>
}

export interface ServerOptions {
  cluster: Cluster
  socketDir: string
  settings: Record<string, string>
  log: (message: string) => void
  signal: AbortSignal
  /** Is called when the program runs, some time before it accepts connections. */
  onLaunch?: (() => void) | undefined
}

const occupiedMessage = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/

/** Starts PostgreSQL as soon as the cluster is free and returns when it accepts connections. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { cluster, socketDir } = options
  const started = Date.now()
  for (;;) {
    const stale = await waitUntilFree(cluster, options.log)
    // A killed PostgreSQL leaves its socket, and a lock file whose process id another process may have now.
    for (const name of await readdir(socketDir)) await rm(join(socketDir, name), { force: true })
    const outcome = await launch(options)
    if ('server' in outcome) {
      if (stale) await removeStaleSocketDir(stale, cluster)
      return outcome.server
    }
    options.signal.throwIfAborted()
    if (!outcome.occupied) throw new Error(`PostgreSQL did not start: ${outcome.reason}`)
    // The process that holds the cluster is not its postmaster yet, or no longer.
    const waited = Date.now() - started
    if (waited > 5_000) throw inUse(cluster, 'another Parley, perhaps in another container')
    if (waited > 1_000) await endOrphanedBackends(cluster.path)
    await sleep(50)
  }
}

type Outcome = { server: Server } | { occupied: boolean; reason: string }

async function launch({
  cluster,
  socketDir,
  settings,
  log,
  signal,
  onLaunch,
}: ServerOptions): Promise<Outcome> {
  const { account, path, programs } = cluster
  const configuration = Object.entries({ ...defaultSettings(socketDir), ...settings })
  const argv = [programs.postgres, '-D', clusterArgument(path)]
  for (const [name, value] of configuration) argv.push('-c', `${name}=${value}`)
  const child = await spawnProgram(argv, { cluster: path, account, deathSignal: 'INT', lock: true })
  onLaunch?.()

  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(by ? `signal ${by}` : `exit code ${code}`))
  })
  // Where the kernel cannot do it, at least an orderly exit of this process stops PostgreSQL.
  const stopWithUs = () => child.kill('SIGINT')
  process.once('exit', stopWithUs)
  void exited.then(() => process.off('exit', stopWithUs))

  const output = followOutput(child, log)
  const server = { exited, stop: () => stopChild(child, exited) }
  for (let slow = Date.now() + 10_000; isAlive(child); await sleep(10)) {
    const file = await readPidFile(path)
    if (file?.pid === child.pid && file?.state === 'ready') {
      // An idle database must not keep the process alive on its own.
      child.unref()
      if (child.stderr instanceof Socket) child.stderr.unref()
      return { server }
    }
    if (signal.aborted) await server.stop()
    if (Date.now() < slow) continue
    slow = Date.now() + 10_000
    log('PostgreSQL is still recovering from its last stop …')
  }
  // The last lines of its output may arrive after its exit.
  await Promise.race([once(child, 'close'), sleep(200)])
  const reason = output.lastLine() || (await exited)
  return { reason, occupied: child.exitCode === lockedExitCode || occupiedMessage.test(reason) }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.ref()
  const began = Date.now()
  while (isAlive(child)) {
    child.kill(stopSignalAfter(Date.now() - began))
    await Promise.race([exited, sleep(1_000, undefined, { ref: false })])
  }
}

const linePattern = /^(?<who>[^|]+)\|(?<level>[A-Z]+): +(?<message>.*)$/

/**
 * Logs messages of PostgreSQL about itself, never those about a query: they may hold users' data.
 */
function followOutput(child: ChildProcess, log: (message: string) => void): { lastLine: () => string } {
  let last = ''
  createInterface({ input: child.stderr! }).on('line', (line) => {
    const { who = '', level = '', message = line } = linePattern.exec(line)?.groups ?? {}
    if (level !== 'LOG' && message) last = message
    const crash = level === 'LOG' && message.includes('was terminated by signal')
    const worth = ['WARNING', 'ERROR', 'FATAL'].includes(level) && !/backend|worker/.test(who)
    if (crash || worth || level === 'PANIC') log(`PostgreSQL: ${message}`)
  })
  return { lastLine: () => last }
}

function defaultSettings(socketDir: string): Record<string, string> {
  const megabyte = 2 ** 20
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity) / megabyte
  const buffers = Math.round(Math.min(512, Math.max(64, memory / 8)))
  return {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port: '5432',
    cluster_name: 'parley',
    timezone: 'UTC',
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.round(Math.max(128, memory / 2))}MB`,
    max_connections: '60',
    logging_collector: 'off',
    // Otherwise PostgreSQL fills each new 16 MB of the log with zeros first, and every commit waits 60 ms or longer.
    wal_init_zero: 'off',
    log_destination: 'stderr',
    log_line_prefix: '%b|',
    log_min_messages: 'warning',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  }
}
