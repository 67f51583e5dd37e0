// This script installs what package-lock.json lists, unless it is there already. It runs before `npm start`, `npm test` and the
// other commands, so that a clean checkout needs no other step. It is plain JavaScript that runs on Node 20, since the Node that
// runs everything else is itself one of the packages.
//
// npm writes node_modules/.package-lock.json when an install is complete and removes it when `npm ci` begins, so comparing it
// with package-lock.json finds an interrupted install as well as an outdated one. When two commands start together, one installs:
// it updates the time of a lock file, and the other one waits until that file is removed or stale.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const installedFile = join(modules, '.package-lock.json')
const lockFile = join(root, '.installing')
const staleAfter = 10_000

if (Number.parseInt(process.versions.node, 10) < 20)
  fail(`Parley needs Node 20 or newer; this is ${process.version}.`)
if (root.includes(delimiter))
  fail(
    `Parley cannot run in ${root}: PATH, by which npm finds programs, cannot name a folder with "${delimiter}". Move it.`,
  )
const missing = findMissing()
if (missing) await installOnce(missing)

/** Installs, or waits for another command that does. */
async function installOnce(reason) {
  for (let isFirst = true; ; isFirst = false) {
    const isLocked = tryLock()
    // Another command may have finished meanwhile.
    if (!findMissing()) return isLocked && rmSync(lockFile, { force: true })
    if (isLocked) return install(reason)
    if (isFirst) console.log('Another command is installing the packages; waiting for it …')
    await sleep(200)
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') fail(`This user cannot write to ${root} (${error.code}).`)
  }
  if (!isStale(lockFile)) return false
  // It is renamed first, so that only one of two waiting commands removes it.
  const aside = `${lockFile}-${process.pid}`
  try {
    renameSync(lockFile, aside)
    if (!isStale(aside)) renameSync(aside, lockFile)
    rmSync(aside, { force: true })
  } catch {
    // The other command was faster.
  }
  return false
}

function isStale(file) {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > staleAfter
}

async function install(reason) {
  console.log(`Installing the packages, which can take a minute (needed once: ${reason}) …`)
  const alive = setInterval(() => utimesSync(lockFile, new Date(), new Date()), 1_000)
  process.on('exit', () => rmSync(lockFile, { force: true }))
  const command = commandOfNpm()
  const { status, child } = runNpm(command)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const result = await status
  clearInterval(alive)
  if (result !== 0) {
    fail(
      `"npm ${command[0]}" failed (${result}). Its messages are above; usually the package registry cannot be reached, the disk\n` +
        `is full, or another user owns ${modules}. Fix that and run the same command again.`,
    )
  }
  const still = findMissing()
  if (still)
    fail(
      `"npm ${command[0]}" succeeded, but something is missing: ${still}. Is npm configured to omit packages?`,
    )
}

/** Returns the command of npm that makes a complete install. */
function commandOfNpm() {
  const development = needsDevelopment()
  // Where development alone is missing, it is added: a service may be running on what is there.
  if (development && !findMissing(false)) return ['install', '--no-save', '--include=dev']
  // Half of all packages are for tests and checks: they are not fetched for who starts the service, and stay where they are.
  const installed = Object.values(readPackages(installedFile) ?? {})
  return ['ci', development || installed.some(({ dev }) => dev) ? '--include=dev' : '--omit=dev']
}

function runNpm(command) {
  // This makes a complete install of this directory, however npm is configured.
  const always = [
    '--include=optional',
    '--package-lock=true',
    '--dry-run=false',
    '--global=false',
    '--bin-links=true',
  ]
  const quiet = ['--engine-strict=false', '--audit=false', '--fund=false', '--loglevel=error']
  const args = [...command, ...always, ...quiet]
  const env = { ...process.env }
  // The npm that runs this script sets them: they describe that command, not this one.
  for (const name of ['npm_config_workspace', 'npm_config_workspaces']) delete env[name]
  const cli = process.env.npm_execpath ?? ''
  const [program, ...before] = /npm-cli\.c?js$/.test(cli)
    ? [process.env.npm_node_execpath ?? process.execPath, cli]
    : ['npm']
  const child = spawn(program, [...before, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: program === 'npm' && process.platform === 'win32',
  })
  const status = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  return { child, status }
}

/** Who runs the service does without the packages that only tests and checks use. */
function needsDevelopment() {
  return !['start', 'predev', 'predemo', 'preparley'].includes(process.env.npm_lifecycle_event ?? '')
}

/**
 * Returns the first difference between package-lock.json and node_modules, in a few words; undefined when there is none.
 */
function findMissing(development = needsDevelopment()) {
  const installed = readPackages(installedFile)
  if (!installed) return existsSync(modules) ? 'node_modules is incomplete' : 'there is no node_modules yet'
  for (const [path, wanted] of Object.entries(readPackages(join(root, 'package-lock.json')) ?? {})) {
    const command = path === '' || path.includes('node_modules/') ? undefined : findUnlinked(wanted)
    if (command) return `the command ${command} is missing`
    if (!path.includes('node_modules/') || !isForHere(wanted)) continue
    if (!development && (wanted.dev || wanted.devOptional)) continue
    const found = installed[path]
    // Optional packages that name no platform are needed by optional packages of other platforms.
    if (!found && wanted.optional && !wanted.os && !wanted.cpu) continue
    const same =
      found?.version === wanted.version && found?.integrity === (wanted.integrity ?? found?.integrity)
    if (!same) return `${path} is ${found ? 'outdated' : 'missing'}`
    if (!existsSync(join(root, path, 'package.json'))) return `${path} is missing`
  }
  return undefined
}

/** Finds a command of a workspace, such as `npx parley`, that an earlier install did not know. */
function findUnlinked({ bin }) {
  return Object.keys(bin ?? {}).find((name) => !existsSync(join(modules, '.bin', name)))
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

function isForHere({ os, cpu, libc }) {
  if (!allows(os, process.platform) || !allows(cpu, process.arch)) return false
  return !libc || process.platform !== 'linux' || allows(libc, systemLibc())
}

function allows(list, value) {
  const entries = [list ?? []].flat()
  const refused = entries.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1))
  const accepted = entries.filter((entry) => !entry.startsWith('!'))
  return !refused.includes(value) && (accepted.length === 0 || accepted.includes(value))
}

function systemLibc() {
  const loader = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return existsSync(`/lib/ld-musl-${loader}.so.1`) ? 'musl' : 'glibc'
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
