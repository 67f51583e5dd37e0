// What the machine offers to run PostgreSQL with.
//
// PostgreSQL refuses to run as root, so under root it gets an account of its own: the one that owns the
// cluster already, else `postgres`, else `nobody`. The child must not outlive this process either: `setpriv`
// asks the kernel to signal it when its parent dies, also by `kill -9`. `flock` holds a lock on the cluster
// that lives exactly as long as PostgreSQL does, and that other containers on the same volume see too, where
// process ids mean nothing. Both tools are part of util-linux; without them (macOS) everything still works,
// and PostgreSQL's own interlocks guard the cluster.

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The account PostgreSQL runs as, when it is not our own. */
export interface Account {
  uid: number
  gid: number
}

/** The exit code of a server that found the cluster locked by another one. */
export const EXIT_LOCKED = 75

/** Chooses whom PostgreSQL runs as: undefined means ourselves. */
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

/** The name of a user id, for messages. */
export async function accountName(uid: number): Promise<string> {
  for (const [name, account] of await readAccounts()) if (account.uid === uid) return name
  return String(uid)
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

let tools: Promise<{ setpriv: boolean; flock: boolean }> | undefined

function findTools(): Promise<{ setpriv: boolean; flock: boolean }> {
  tools ??= Promise.all([
    runs('setpriv', ['--pdeathsig', 'INT', 'true']),
    runs('flock', ['--no-fork', '--nonblock', '/', 'true']),
  ]).then(([setpriv, flock]) => ({ setpriv, flock }))
  return tools
}

async function runs(command: string, args: string[]): Promise<boolean> {
  return promisify(execFile)(command, args).then(
    () => true,
    () => false,
  )
}

/**
 * Starts a PostgreSQL program inside the cluster's directory, tied to the life of this process.
 * With `lock` it also holds the cluster's lock, or exits with EXIT_LOCKED.
 */
export async function spawnProgram(
  argv: string[],
  options: { cluster: string; account: Account | undefined; deathSignal: 'INT' | 'KILL'; lock: boolean },
): Promise<ChildProcess> {
  const { setpriv, flock } = await findTools()
  const { account } = options
  let command = argv
  if (setpriv) {
    const identity = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
    command = ['setpriv', ...identity, `--pdeathsig=${options.deathSignal}`, '--', ...command]
  }
  // Without a lock, too, the caller has found that nobody we can see runs on the cluster.
  if (options.lock && !flock) await rm(join(options.cluster, 'postmaster.pid'), { force: true })
  if (options.lock && flock) {
    // Whoever holds the lock is alone, so a postmaster.pid still there is stale. PostgreSQL would believe it
    // when its process id has meanwhile been given to somebody else.
    const start = ['sh', '-c', 'rm -f postmaster.pid && exec "$@"', 'sh']
    const code = String(EXIT_LOCKED)
    command = ['flock', '--no-fork', '--nonblock', '-E', code, 'PG_VERSION', ...start, ...command]
  }
  const [file = '', ...args] = command
  return spawn(file, args, {
    // Entered before the account changes, so no directory above it needs to be open to that account.
    cwd: options.cluster,
    // Away from the terminal's process group: Ctrl-C is for the service, which stops PostgreSQL last.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...(account && !setpriv ? account : {}),
  })
}

/** How a program started by `spawnProgram` names its cluster: by a path that any account can walk. */
export function clusterArgument(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

/** The code of a system error (`ENOENT`) or of PostgreSQL (`3D000`). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Entries of `directory` called `<prefix><process id>-…` whose maker is gone. */
export async function findAbandoned(directory: string, prefix: string): Promise<string[]> {
  const abandoned: string[] = []
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined
    const path = join(directory, name)
    if (pid && (await isAbandoned(path, Number(pid)))) abandoned.push(path)
  }
  return abandoned
}

async function isAbandoned(path: string, maker: number): Promise<boolean> {
  if (!isRunning(maker)) return true
  // Its process id may have been given to somebody else since; in containers that is often ourselves.
  const limit = maker === process.pid ? performance.timeOrigin : Date.now() - 3_600_000
  const made = await stat(path).catch(() => undefined)
  return made !== undefined && made.mtimeMs < limit
}
