// This file uses what the machine offers to run PostgreSQL with.
//
// PostgreSQL refuses to run as root, so under root it gets another account: the one that owns the cluster already, else
// `postgres`, else `nobody`. It must not outlive this process: `setpriv` makes the kernel signal it when its parent dies, also by
// `kill -9`. `flock` holds a lock on the cluster for exactly as long as PostgreSQL runs, and other containers on the same volume
// see that lock too, where process ids mean nothing. Both tools are part of util-linux; without them (macOS) everything still
// works, and PostgreSQL's own locks guard the cluster.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hour } from '../../lib/times.ts'

/** PostgreSQL runs as this account, when it is not our own. */
export interface Account {
  uid: number
  gid: number
}

/** PostgreSQL exits with this code when it finds the cluster locked by another process. */
export const lockedExitCode = 75

/** Chooses the account that PostgreSQL runs as; undefined means our own. */
export async function chooseAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = await readAccounts()
  const account = accounts.get('postgres') ?? accounts.get('nobody')
  if (account) return account
  throw new Error(
    'PostgreSQL cannot run as root, and this machine has neither a user "postgres" nor "nobody". ' +
      'Start Parley as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** Returns the name of a user id, for messages. */
export async function accountName(uid: number): Promise<string> {
  const accounts = [...(await readAccounts())]
  return accounts.find(([, account]) => account.uid === uid)?.[0] ?? String(uid)
}

async function readAccounts(): Promise<Map<string, Account>> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      return [name, { uid: Number(uid), gid: Number(gid) }]
    }),
  )
}

/** Says which tools of util-linux exist here, in a version with the needed options. */
interface Tools {
  setpriv: boolean
  flock: boolean
}

let tools: Promise<Tools> | undefined

function findTools(): Promise<Tools> {
  tools ??= Promise.all([
    runs('setpriv', ['--pdeathsig', 'INT', 'true']),
    // The lock is shared, so that services which start at the same moment do not refuse each other here.
    runs('flock', ['--no-fork', '--nonblock', '--shared', '/', 'true']),
  ]).then(([setpriv, flock]) => ({ setpriv, flock }))
  return tools
}

const runs = (command: string, args: string[]): Promise<boolean> =>
  promisify(execFile)(command, args).then(
    () => true,
    () => false,
  )

interface SpawnOptions {
  cluster: string
  account: Account | undefined
  deathSignal: 'INT' | 'KILL'
  /** This is true when the program holds the cluster's lock while it runs. */
  lock: boolean
}

/**
 * Starts a PostgreSQL program in the cluster's directory; it is stopped when this process ends. When another process holds the
 * lock, it exits with `lockedExitCode`.
 */
export async function spawnProgram(
  argv: string[],
  { cluster, account, deathSignal, lock }: SpawnOptions,
): Promise<ChildProcess> {
  const { setpriv, flock } = await findTools()
  let command = argv
  if (setpriv) {
    const identity = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
    command = ['setpriv', ...identity, `--pdeathsig=${deathSignal}`, '--', ...command]
  }
  // A postmaster.pid that is still there is stale: the lock is held by one process only, and
  // without `flock` the caller has found that nothing runs on the cluster. PostgreSQL would believe
  // the file if its process id was given to another process meanwhile.
  if (lock && !flock) await rm(join(cluster, 'postmaster.pid'), { force: true })
  if (lock && flock) {
    const start = ['sh', '-c', 'rm -f postmaster.pid && exec "$@"', 'sh']
    const code = String(lockedExitCode)
    command = ['flock', '--no-fork', '--nonblock', '-E', code, 'PG_VERSION', ...start, ...command]
  }
  const [file = '', ...args] = command
  return spawn(file, args, {
    // The directory is entered before the account changes, so the account needs no access to the directories above.
    cwd: cluster,
    // The process is not in the terminal's process group: Ctrl-C is for the service, which stops PostgreSQL last.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...(account && !setpriv ? account : {}),
  })
}

/** Returns the path by which a program started by `spawnProgram` names its cluster: any account can open it. */
export const clusterArgument = (cluster: string): string =>
  process.platform === 'linux' ? '/proc/self/cwd' : cluster

/** Returns the code of a system error (`ENOENT`) or of PostgreSQL (`3D000`). */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Returns the paths of the entries `<prefix><process id>-…` of a directory whose process no longer runs. */
export async function findAbandoned(directory: string, prefix: string): Promise<string[]> {
  const abandoned: string[] = []
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined
    const path = join(directory, name)
    if (pid && (await isAbandoned(path, Number(pid)))) abandoned.push(path)
  }
  return abandoned
}

async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (!isRunning(pid)) return true
  // The process id may have been given to another process since; in containers that is often this
  // one.
  const limit = pid === process.pid ? performance.timeOrigin : Date.now() - hour
  const made = await stat(path).catch(() => undefined)
  return made !== undefined && made.mtimeMs < limit
}
