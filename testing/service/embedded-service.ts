// These are child processes that own an embedded PostgreSQL each, as root or as a plain user. They are killed by process ids that
// they or PostgreSQL have written down.

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newFolder } from './files.ts'

export const nobody = 65_534
const asUserNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
const embedded = new URL('../../server/src/db/embedded/start.ts', import.meta.url).href

/** True when root can run a service as a plain user: not from a checkout that only root may enter. */
export const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync(asUserNobody[0]!, [...asUserNobody.slice(1), 'test', '-r', fileURLToPath(embedded)]).status === 0

/** Prints what happens, stops on SIGTERM, and exits at once on SIGUSR2. */
const program = `
  const { startEmbedded } = await import(${JSON.stringify(embedded)})
  const log = (message) => console.log('log ' + message)
  try {
    const database = await startEmbedded({ dataDir: process.env.DATA_DIR, log })
    process.on('SIGTERM', async () => { await database[Symbol.asyncDispose](); process.exit() })
    process.on('SIGUSR2', () => process.exit())
    setInterval(() => {}, 1e6)
    console.log('ready ' + database.url)
  } catch (error) {
    console.log('refused ' + error.message)
    process.exitCode = 1
  }`

interface Options {
  asNobody?: boolean
  /** A command that runs the service, such as one that puts it into another container. */
  within?: readonly string[]
  env?: Record<string, string>
}

/** Starts a service that may be refused: then `url` is empty and `refusal` says why. */
export async function tryService(dataDir: string, options: Options = {}) {
  const child = spawnService(dataDir, options)
  const log: string[] = []
  const answer = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! })
      .on('line', (line) => {
        log.push(line)
        if (/^(ready|refused) /.test(line)) resolve(line)
      })
      // This does not wait for the exit of the process: its last lines may still be unread then.
      .once('close', () => reject(new Error(`no answer: ${log.join('; ')}`)))
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode) return
    child.kill(signal)
    await once(child, 'exit')
  }
  return {
    pid: child.pid,
    url: /^ready (.*)/.exec(answer)?.[1] ?? '',
    refusal: /^refused (.*)/.exec(answer)?.[1] ?? '',
    log,
    end,
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  }
}

/** Starts a service, or throws the reason of a refusal. */
export async function startService(dataDir: string, options: Options = {}) {
  const service = await tryService(dataDir, options)
  if (service.refusal) throw new Error(`The service was refused: ${service.refusal}`)
  return service
}

export function spawnService(dataDir: string, { asNobody, within = [], env = {} }: Options): ChildProcess {
  const variables = Object.entries({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: compileCache(), ...env }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const node = ['env', ...variables, process.execPath, '--input-type=module', '-e', program]
  const [command = '', ...args] = [...within, ...(asNobody ? asUserNobody : []), ...node]
  return spawn(command, args, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
}

let cache: string | undefined

/** Returns the folder where the services store what Node has compiled: both accounts may write to it. */
function compileCache(): string {
  if (cache === undefined) {
    cache = mkdtempSync(path.join(tmpdir(), 'embedded-test-compiled-'))
    chmodSync(cache, 0o777)
  }
  return cache
}

/** A directory that is removed at the end. */
export async function createDirectory(asNobody = false) {
  const directory = await newFolder('embedded-test')
  if (asNobody) await chown(directory.path, nobody, nobody)
  return directory
}

const used = new Map<boolean, ReturnType<typeof createDirectory>>()

/** Makes a DATA_DIR that was used before: a copy of one, because creating a cluster takes a second. */
export async function createUsedDirectory(asNobody: boolean) {
  const use = async () => {
    const first = await createDirectory(asNobody)
    await (await startService(first.path, { asNobody })).end('SIGTERM')
    return first
  }
  const first = used.get(asNobody) ?? use()
  used.set(asNobody, first)
  const directory = await createDirectory(asNobody)
  await promisify(execFile)('cp', ['-a', path.join((await first).path, 'postgres'), directory.path])
  return directory
}

/** Removes what the services of these tests have shared. */
export async function removeUsedDirectories(): Promise<void> {
  if (cache !== undefined) await rm(cache, { recursive: true, force: true })
  for (const directory of used.values()) await (await directory)[Symbol.asyncDispose]()
}
