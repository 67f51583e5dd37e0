// This runs the service as its operators do: in a process of its own, started, stopped and killed by its process id.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.join(import.meta.dirname, '../..')
const main = path.join(root, 'server/src/main.ts')
// The cache is that of `npm start`: what Node has compiled once is not compiled again at the next start.
const compileCache = path.join(root, 'node_modules/.cache/node')

/** Returns the command that runs the service on Node, with options of Node's own. Another release has another file. */
export const nodeCommand = (options: string[] = [], file = main): string[] => [
  process.execPath,
  ...options,
  file,
]

/** Returns that command with the options that `npm start` gives to Node. */
export const startCommand = (): string[] =>
  nodeCommand(
    execFileSync(process.execPath, [path.join(root, 'tools/v8-flags.mjs')], { encoding: 'utf8' })
      .split(/\s+/)
      .filter(Boolean),
  )

export interface ServiceProcessOptions {
  /** Settings of the service. Only PATH is passed on from this process's own environment. */
  env?: Record<string, string>
  /** The port on which it listens; see `freePort`. */
  port: number
  /** The program and its arguments; `nodeCommand()` when left out. */
  command?: string[]
  cwd?: string
  /** Opens a channel for messages to the process. */
  channel?: boolean
}

export interface ServiceProcess extends AsyncDisposable {
  port: number
  /** The command of the next launch. */
  command: string[]
  url: string
  readonly child: ChildProcess
  readonly pid: number
  /** True when the process has ended although nothing here ended it. */
  readonly hasCrashed: boolean
  /** Returns the last 50,000 characters that the process printed since its start. */
  printed: () => string
  /** Starts the process, also again after its end, on the same port and with the same settings. */
  launch(): ChildProcess
  /** Waits until the process has printed a text or has ended; throws after a minute. */
  until(text: string): Promise<void>
  /** Waits until the service serves; throws what it printed when it ends instead. */
  ready(): Promise<void>
  /** Launches the process and waits until it is ready. */
  start(): Promise<void>
  /** Sends a signal, waits for the end (30 s, then SIGKILL), and returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Prepares a service; `start` or `launch` starts it. `await using` ends it with SIGTERM. */
export function createServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const { port, env = {}, command = nodeCommand(), cwd = root, channel = false } = options
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let printed = ''
  const state = { hasClosed: true, endedHere: false }

  const service: ServiceProcess = {
    port,
    command,
    url,
    get child() {
      return child!
    },
    get pid() {
      return child!.pid!
    },
    get hasCrashed() {
      return state.hasClosed && !state.endedHere
    },
    printed: () => printed,
    launch() {
      const [program = '', ...rest] = service.command
      const launched = spawn(program, rest, {
        cwd,
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: compileCache,
          PORT: String(port),
          // The PostgreSQL of the tests does not wait for the disk.
          ...(env['DATABASE_URL'] && { ALLOW_UNSAFE_DB: 'true' }),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
      })
      child = launched
      printed = ''
      state.hasClosed = state.endedHere = false
      // The process before may close its output only now.
      const isCurrent = () => child === launched
      for (const stream of [launched.stdout, launched.stderr])
        stream!.on('data', (data: Buffer) => {
          if (isCurrent()) printed = (printed + data.toString()).slice(-50_000)
        })
      launched.once('close', () => {
        if (isCurrent()) state.hasClosed = true
      })
      return launched
    },
    async until(text) {
      const deadline = performance.now() + 60_000
      for (; !state.hasClosed && !printed.includes(text); await sleep(10))
        if (performance.now() > deadline)
          throw new Error(`The service did not print "${text}" in time:\n${printed}`)
    },
    async ready() {
      await service.until('Parley docs')
      if (state.hasClosed) throw new Error(`The service at ${url} did not start:\n${printed}`)
    },
    async start() {
      service.launch()
      await service.ready()
    },
    async end(signal) {
      state.endedHere = true
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
      const exit = once(child, 'exit')
      child.kill(signal)
      const force = setTimeout(() => child!.kill('SIGKILL'), 30_000)
      await exit
      clearTimeout(force)
      return child.exitCode
    },
    [Symbol.asyncDispose]: async () => void (await service.end('SIGTERM')),
  }
  return service
}
