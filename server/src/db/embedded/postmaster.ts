// Which service uses a cluster? PostgreSQL's main process, the postmaster, writes `postmaster.pid`
// into it: line 1 its process id, line 5 its socket directory, line 8 its state. The name of the
// socket directory holds the process id of the service that made it (`parley-<process id>-…`), and
// a postmaster is a child of its service. So:
//
//   no such process, or in another directory     the file is stale: the cluster is free
//   a child of the service that it names         that service runs: the cluster is in use
//   a child of another process                   the service was killed: the postmaster is an orphan and is stopped
//
// No connection is needed, so this also works while a postmaster is starting, recovering or
// stopping.

import { execFile } from 'node:child_process'
import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { hour } from '../../lib/times.ts'
import type { Cluster } from './cluster.ts'
import { findAbandoned, isRunning } from './host.ts'

export interface PidFile {
  pid: number
  socketDir: string
  /** The state is `starting`, `ready` or `stopping`; it is undefined in the first moments. */
  state: string | undefined
}

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const content = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = content.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  return pid > 0 ? { pid, socketDir: lines[4] ?? '', state: lines[7] || undefined } : undefined
}

/**
 * Returns when no postmaster that we can see runs on the cluster, with the stale file if there is one. It stops an orphan, and
 * throws when another service uses the cluster.
 */
export async function waitUntilFree(
  cluster: Cluster,
  log: (message: string) => void,
): Promise<PidFile | undefined> {
  const orphans = new Map<number, number>()
  for (;;) {
    const file = await readPidFile(cluster.path)
    const parent = file && (await findParent(file.pid, cluster.path))
    if (!file || parent === undefined) return file
    if (file.state) {
      const service = serviceOf(file.socketDir)
      if (!service) throw inUse(cluster, `a PostgreSQL that Parley did not start (process ${file.pid})`)
      if (service === parent) throw inUse(cluster, `another Parley (process ${service})`)
      const since = orphans.get(file.pid)
      if (since === undefined)
        log(`Stopping a PostgreSQL that a killed Parley left behind (process ${file.pid})`)
      orphans.set(file.pid, since ?? Date.now())
      signal(file.pid, stopSignalAfter(Date.now() - (since ?? Date.now())))
    }
    await sleep(20)
  }
}

export const inUse = ({ dataDir }: Cluster, by: string): Error =>
  new Error(`DATA_DIR ${dataDir} is in use by ${by}. Stop it, or set another DATA_DIR.`)

/**
 * Returns the signal for a PostgreSQL that has been stopping for some milliseconds: a fast shutdown at first, later one without a
 * checkpoint, at last a kill. No data is lost by any of them; the next start takes longer after the later ones.
 */
export function stopSignalAfter(waited: number): NodeJS.Signals {
  if (waited < 30_000) return 'SIGINT'
  return waited < 40_000 ? 'SIGQUIT' : 'SIGKILL'
}

/** Returns the parent of the postmaster `pid`; undefined when this is not a live postmaster of the cluster. */
async function findParent(pid: number, cluster: string): Promise<number | undefined> {
  if (process.platform === 'linux') {
    if (!(await belongsTo(pid, cluster))) return undefined
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const parent = /.*\) \S (\d+)/s.exec(status)?.[1]
    return parent ? Number(parent) : undefined
  }
  const listed = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  const parent = listed?.stdout.includes(cluster) ? Number.parseInt(listed.stdout, 10) : undefined
  return parent || undefined
}

/** Returns true for a PostgreSQL process of the cluster: the cluster is the working directory of each of them. */
async function belongsTo(pid: number, cluster: string): Promise<boolean> {
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    if (there.ino !== here.ino || there.dev !== here.dev) return false
    return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() === 'postgres'
  } catch {
    return false
  }
}

/**
 * Ends processes whose postmaster was killed while they ran a long query: they notice its death only when the query ends, and
 * until then no new postmaster can start. Call this when there is no postmaster.
 */
export async function endOrphanedBackends(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (pid > 0 && (await belongsTo(pid, cluster))) signal(pid, 'SIGQUIT')
  }
}

/** Removes the socket directory that a stale file names. The service that uses the cluster now calls this. */
export async function removeStaleSocketDir({ socketDir }: PidFile, cluster: Cluster): Promise<void> {
  const service = serviceOf(socketDir)
  // A running service starts its PostgreSQL again in the same directory.
  if (!service || isRunning(service)) return
  const [found, owner] = await Promise.all([stat(socketDir).catch(() => undefined), stat(cluster.path)])
  if (found?.uid === owner.uid) await rm(socketDir, { recursive: true, force: true }).catch(() => {})
}

/** Returns the process id of the service that made a socket directory. */
const serviceOf = (socketDir: string): number | undefined =>
  Number(/^parley-(\d+)-/.exec(basename(socketDir))?.[1]) || undefined

/**
 * Removes the empty socket directories of services that were killed. Younger ones stay: a service
 * in another container may have made one for a PostgreSQL that it starts at this moment, and its
 * process id means nothing here.
 */
export async function removeEmptySocketDirs(base: string): Promise<void> {
  for (const path of await findAbandoned(base, 'parley-')) {
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - hour) await rmdir(path).catch(() => {})
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended.
  }
}
