// The service as its operators run it: a process of its own, started, stopped and killed by its recorded process id.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Random } from './random.ts'

const main = path.join(import.meta.dirname, '../server/src/main.ts')

export interface ServiceOptions {
  port: number
  env: Record<string, string>
  /** A module that is loaded into the process first. */
  preload?: string
  /** A command that runs the one behind it, in its own process. */
  within?: string[]
}

export interface Service extends AsyncDisposable {
  url: string
  readonly pid: number
  /** Ended although nobody asked for it. */
  readonly crashed: boolean
  /** The last lines it printed. */
  lastWords(): string
  /** Starts it (again, at the same place) and waits until it says that it serves. */
  start(): Promise<void>
  /** Ends it, and answers its exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** A service at a port; `start` starts it. */
export function createService({ port, env, preload, within = [] }: ServiceOptions): Service {
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let ending = false
  let output = ''

  async function start(): Promise<void> {
    ending = false
    const loaded =
      preload === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
    const [command, ...args] = [...within, process.execPath, ...loaded, main]
    const process_ = spawn(command, args, {
      env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = process_
    let printed = ''
    const serves = new Promise<void>((resolve) => {
      for (const stream of [process_.stdout, process_.stderr])
        stream.on('data', (data: Buffer) => {
          printed = (printed + data.toString()).slice(-20_000)
          output = printed
          if (printed.includes('Parley docs')) resolve()
        })
    })
    const ended = once(process_, 'exit').then(() => {
      throw new Error(`the service at ${url} did not start:\n${printed}`)
    })
    ended.catch(() => {})
    await Promise.race([serves, ended])
  }

  const isOver = () => !child || child.exitCode !== null || child.signalCode !== null

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    ending = true
    if (child && !isOver()) {
      const gone = once(child, 'exit')
      child.kill(signal)
      // A service that does not stop within half a minute is told so by force; its exit code then is null.
      const force = setTimeout(() => child?.kill('SIGKILL'), 30_000)
      await gone
      clearTimeout(force)
    }
    return child?.exitCode ?? null
  }

  return {
    url,
    get pid() {
      return child!.pid!
    },
    get crashed() {
      return !ending && isOver()
    },
    lastWords: () => output.split('\n').slice(-40).join('\n'),
    start,
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
  }
}

/** The process id of the PostgreSQL that runs on a data directory, as it wrote it down itself. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const file = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(file, 10) || undefined
}

/** The resident memory of a process in MiB; undefined where the system does not tell. */
export async function memoryOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]
  return kib === undefined ? undefined : Number(kib) / 1024
}

/** A port below those that the system gives out. */
export async function freePort(random: Random): Promise<number> {
  for (;;) {
    const port = 10_000 + random.int(22_000)
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen({ port, host: '127.0.0.1' }, () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (free) return port
  }
}
