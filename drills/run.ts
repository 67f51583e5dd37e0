// One run of a drill: its services, database, load and watchers, the ledger, and what was found. Everything that is
// started here ends with it.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { freePort } from '../testing/ports.ts'
import {
  createServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../testing/service-process.ts'
import type { Violation } from './check/checker.ts'
import { inspect } from './check/inspection.ts'
import { openLedger, readLedger } from './check/ledger.ts'
import { createRandom, digestOf } from './random.ts'
import { type Load, startLoad } from './load/load.ts'

export interface RunOptions {
  seed: number
  /** How long faults are caused. */
  seconds: number
  /** Messages a second. */
  rate: number
  /** Multiplies every time limit: more than 1 on a machine with other work to do. */
  patience: number
  log: (line: string) => void
}

/** Thrown by a drill that cannot run here; the message says what it needs. */
export class CannotRun extends Error {}

export type Run = Awaited<ReturnType<typeof openRun>>

export async function openRun(options: RunOptions) {
  const { seed, log } = options
  const stack = new AsyncDisposableStack()
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-drill-'))
  const violations: Violation[] = []
  stack.defer(async () => {
    // The ledger proves a violation, so it is kept.
    if (violations.length > 0) log(`the ledger is kept: ${ledger.path}`)
    const dirs = ['data', 'database', 'sockets'].map((name) => path.join(directory, name))
    const removed = violations.length > 0 ? dirs : [directory]
    for (const each of removed) await rm(each, { recursive: true, force: true, maxRetries: 5 })
  })
  const ledger = stack.use(openLedger(path.join(directory, 'ledger.jsonl')))
  const random = createRandom(seed)
  const services: ServiceProcess[] = []
  const recoveries: number[] = []
  const notes: string[] = []
  const end = { at: Infinity }
  let load: Load | undefined
  let lasted = 0
  let loads = 0

  const report = (violation: Violation) => {
    violations.push(violation)
    if (violations.length <= 20) log(`VIOLATION ${violation.kind}: ${violation.detail}`)
  }

  const run = {
    ...options,
    directory,
    dataDir: path.join(directory, 'data'),
    random,
    report,
    violations,
    services,
    history: ledger.history,
    recoveries,
    /** Adds a figure to the closing line. */
    note: (figure: string) => void notes.push(figure),
    use: <T extends AsyncDisposable>(resource: T): T => stack.use(resource),

    /** Starts a PostgreSQL of the drill's own; services share it by its URL. */
    async startDatabase() {
      const dataDir = path.join(directory, 'database')
      const database = stack.use(
        await startEmbedded({ dataDir, log: () => {}, settings: { max_connections: '200' } }),
      )
      return { url: database.url, dataDir }
    },

    /**
     * Starts a service: on its own embedded database when `env` names none. All of them share their secret and public
     * address.
     */
    async startService(
      env: Record<string, string> = {},
      { command }: Pick<ServiceProcessOptions, 'command'> = {},
    ): Promise<ServiceProcess> {
      const port = await freePort()
      const service = createServiceProcess({
        port,
        env: {
          DATA_DIR: run.dataDir,
          JWT_SECRET: digestOf(seed, 'secret'),
          PUBLIC_URL: services[0]?.url ?? `http://127.0.0.1:${port}`,
          LOG_LEVEL: 'warn',
          RATE_LIMITS: 'off',
          ...env,
        },
        ...(command && { command }),
      })
      services.push(stack.use(service))
      await service.start()
      return service
    },

    /** Signs the wallets in, and starts the writers and the watchers. */
    async startLoad(urls: () => string[] = () => services.map(({ url }) => url), padding = 0) {
      const { rate } = options
      const shared = { seed, rate, padding, ledger, random, urls, report, log }
      load = await startLoad(services[0]!.url, { ...shared, prefix: `load${++loads}` })
      end.at = performance.now() + options.seconds * 1000
      lasted ||= performance.now()
      return load
    },

    /** Whether there is time for one more fault; no longer after a violation other than slowness. */
    hasTime: () => performance.now() < end.at && violations.every(({ kind }) => kind === 'slow'),
    pause: (least: number, most = least) => sleep(random.between(least, most)),

    /** Waits until a write that began after `since` is acknowledged, and notes how long that took. */
    async waitForRecovery(since: number, limit: number): Promise<void> {
      const most = limit * options.patience * 1000
      const at = await load!.writers.answeredAfter(since, Math.max(60_000, most))
      const took = ((at ?? Infinity) - since) / 1000
      recoveries.push(took)
      if (took * 1000 > most)
        report({
          kind: 'slow',
          detail: `back after ${took.toFixed(2)} s; ${(most / 1000).toFixed(1)} s are allowed`,
        })
    },

    /** Ends the load and the watchers, before something that they could not know of. */
    async endLoad(): Promise<void> {
      await load!.writers.stop()
      await Promise.all(load!.watchers.map((watcher) => watcher.stop()))
    },

    /** How many lines the ledger has. */
    ledgerLength: () => ledger.length,
    /** Records that the service was restored to what the ledger had at that length. */
    restored: (since: number) => ledger.write({ do: 'restored', since }),

    /** Ends the load and checks everything. */
    async finish(): Promise<void> {
      const { wallets, writers, watchers } = load!
      await writers.stop()
      lasted = (performance.now() - lasted) / 1000
      for (const service of services)
        if (service.hasCrashed)
          report({ kind: 'broken', detail: `a service ended by itself:\n${lastLines(service)}` })
      await Promise.all(watchers.map((watcher) => watcher.stop()))
      const resyncs = watchers.reduce((sum, watcher) => sum + (watcher.resyncs ?? 0), 0)
      if (resyncs > 0) notes.push(`listeners received ${resyncs} resync events`)
      const found = await inspect(wallets, readLedger(ledger.path), watchers, services[0]!.url)
      found.forEach(report)
    },

    /** The figures of the closing line. */
    figures: () => ({
      acknowledged: [...ledger.history.values()].filter((entry) => entry.acknowledged).length,
      marked: load?.writers.marked ?? 0,
      lasted,
      failures: Object.fromEntries(load?.writers.failures ?? []),
      notes,
    }),
  }
  await mkdir(run.dataDir)
  return Object.assign(run, { [Symbol.asyncDispose]: () => stack.disposeAsync() })
}

const lastLines = (service: ServiceProcess) => service.printed().split('\n').slice(-40).join('\n')
