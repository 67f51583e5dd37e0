// Who runs on a cluster? PostgreSQL's main process, the postmaster, writes `postmaster.pid` into it: line 1 its
// process id, line 5 its socket directory, line 8 its state. The name of a socket directory that Parley made
// tells which service made it (`parley-<process id>-…`), and a postmaster is its service's child. So:
//
//   no such process, or it works elsewhere    the file is stale: the cluster is free
//   it is the child of the service it names   that service is alive: the cluster is taken
//   its parent is another process             the service was killed: the postmaster is an orphan, and is stopped
//
// This needs no connection, so it also holds while a postmaster is starting, recovering or stopping.

import { execFile } from 'node:child_process'
import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster } from './cluster.ts'
import { findAbandoned, isRunning } from './host.ts'

export interface PidFile {
  pid: number
  socketDir: string
  /** `starting`, `ready`, `stopping`; undefined in the first moments. */
  state: string | undefined
}

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const content = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = content.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  return pid > 0 ? { pid, socketDir: lines[4] ?? '', state: lines[7] || undefined } : undefined
}

/**
 * Returns when nobody that we can see runs on the cluster, having stopped an orphan, with the stale file if there
 * is one. Throws when another service runs on it.
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
      signal(file.pid, howHard(Date.now() - (since ?? Date.now())))
    }
    await sleep(20)
  }
}

export function inUse({ dataDir }: Cluster, whom: string): Error {
  return new Error(`DATA_DIR ${dataDir} is in use by ${whom}. Stop it, or set another DATA_DIR.`)
}

/** Fast shutdown first; later without a checkpoint; at last by force. All three are safe, in this order of cost. */
export function howHard(waited: number): NodeJS.Signals {
  if (waited < 30_000) return 'SIGINT'
  return waited < 40_000 ? 'SIGQUIT' : 'SIGKILL'
}

/** The parent of the postmaster `pid`; undefined when this is not a live postmaster of the cluster. */
async function findParent(pid: number, cluster: string): Promise<number | undefined> {
  if (process.platform === 'linux') {
    if (!(await worksIn(pid, cluster))) return undefined
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

/** Whether this is a PostgreSQL process of the cluster: each of them works in the cluster's directory. */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    if (there.ino !== here.ino || there.dev !== here.dev) return false
    return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() === 'postgres'
  } catch {
    return false
  }
}

/**
 * Ends the processes that a killed postmaster left in the middle of a long query: they notice its death only
 * when the query ends, and until then no new one can start. Call it when there is no postmaster.
 */
export async function endStragglers(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (pid > 0 && (await worksIn(pid, cluster))) signal(pid, 'SIGQUIT')
  }
}

/** Removes the socket directory that a stale file names. Only for whom the cluster belongs to by now. */
export async function removeStaleSocketDir({ socketDir }: PidFile, cluster: Cluster): Promise<void> {
  const service = serviceOf(socketDir)
  // A live service starts its PostgreSQL again in the same directory.
  if (!service || isRunning(service)) return
  const [found, owner] = await Promise.all([stat(socketDir).catch(() => undefined), stat(cluster.path)])
  if (found?.uid === owner.uid) await rm(socketDir, { recursive: true, force: true }).catch(() => {})
}

/** The process id of the service that made a socket directory. */
function serviceOf(socketDir: string): number | undefined {
  return Number(/^parley-(\d+)-/.exec(basename(socketDir))?.[1]) || undefined
}

/** Removes the empty socket directories of services that were killed and whose PostgreSQL then stopped well. */
export async function removeEmptySocketDirs(base: string): Promise<void> {
  for (const path of await findAbandoned(base, 'parley-')) await rmdir(path).catch(() => {})
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has just ended.
  }
}
