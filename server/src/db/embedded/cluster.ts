// A cluster is the directory `<DATA_DIR>/postgres` that holds the database's files.
//
// It is created under another name and renamed when it is complete and on disk, so a start that is killed at any point leaves
// either a complete cluster or an incomplete one that the next start removes. Two starts at the same moment both create one; only
// one rename succeeds, and the other start uses that cluster too.

import { text } from 'node:stream/consumers'
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { findPrograms, type Programs } from './binaries.ts'
import {
  type Account,
  accountName,
  chooseAccount,
  clusterArgument,
  errorCode,
  findAbandoned,
  spawnProgram,
} from './host.ts'

export interface Cluster {
  path: string
  dataDir: string
  programs: Programs
  /** PostgreSQL runs as this account, which owns the files; undefined means our own account. */
  account: Account | undefined
}

/** Opens the cluster below `dataDir`, creating it when there is none. */
export async function openCluster(dataDir: string, log: (message: string) => void): Promise<Cluster> {
  const path = join(dataDir, 'postgres')
  try {
    await mkdir(dataDir, { recursive: true })
    await checkOwner(path, dataDir)
    const account = await chooseAccount(path)
    const cluster = { path, dataDir, account, programs: await findPrograms(account) }
    await removeLeftovers(dataDir)
    if (!(await readVersion(path))) {
      log('Creating the database (needed once) …')
      await createCluster(cluster)
    }
    await checkCluster(cluster)
    return cluster
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
    const cause = `DATA_DIR ${dataDir} cannot be used by this user: ${String(error)}.`
    throw new Error(`${cause} Set DATA_DIR to a directory that it may write to.`, { cause: error })
  }
}

async function createCluster(cluster: Cluster): Promise<void> {
  const { account, dataDir, path, programs } = cluster
  const aside = await mkdtemp(join(dataDir, `postgres.init-${process.pid}-`))
  try {
    if (account) await chown(aside, account.uid, account.gid)
    const options = ['--username=parley', '--auth-local=trust', '--auth-host=reject', '--no-instructions']
    // This locale has byte order with Unicode case rules, the same on every platform and with every C library.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const argv = [programs.initdb, '-D', clusterArgument(aside), ...options, ...locale]
    const child = await spawnProgram(argv, { cluster: aside, account, deathSignal: 'KILL', lock: false })
    const [output, [code, signal]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
    if (code !== 0) throw new Error(`PostgreSQL's initdb failed (${code ?? signal}): ${output.trim()}`)
    await rename(aside, path)
    await syncDirectory(dataDir)
  } catch (error) {
    await rm(aside, { recursive: true, force: true, maxRetries: 3 })
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
    if (!(await readVersion(path))) {
      const what = `${path} holds files that are not a PostgreSQL database.`
      throw new Error(`${what} Move them away, or set another DATA_DIR.`, { cause: error })
    }
  }
}

async function checkOwner(path: string, dataDir: string): Promise<void> {
  const us = process.getuid?.()
  const uid = (await stat(path).catch(() => undefined))?.uid
  if (uid === undefined || uid === us || us === 0) return
  throw new Error(
    `DATA_DIR ${dataDir} holds a database that belongs to the user ${await accountName(uid)}. Start Parley as ` +
      'that user (as root, if root created it), hand it over with "chown -R", or set another DATA_DIR.',
  )
}

async function checkCluster({ account, dataDir, path, programs }: Cluster): Promise<void> {
  const version = await readVersion(path)
  if (version !== programs.major)
    throw new Error(
      `DATA_DIR ${dataDir} holds a database of PostgreSQL ${version}, but this Parley brings PostgreSQL ` +
        `${programs.major}. Dump it with the old one and restore it into a new DATA_DIR, or set DATABASE_URL.`,
    )
  // A copy or a volume mount may have changed owner and mode, and PostgreSQL would refuse to start.
  const { uid, mode } = await stat(path)
  if (account && uid === 0) await handOver(path, account)
  if ((mode & 0o777) !== 0o700) await chmod(path, 0o700)
}

async function handOver(path: string, { uid, gid }: Account): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), uid, gid)
  await chown(path, uid, gid)
}

/** Returns the cluster's major version; undefined when there is no cluster. */
async function readVersion(path: string): Promise<string | undefined> {
  try {
    return (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function removeLeftovers(dataDir: string): Promise<void> {
  for (const path of await findAbandoned(dataDir, 'postgres.init-'))
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path)
  await directory.sync()
}
