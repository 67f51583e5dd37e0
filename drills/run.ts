// What a drill plays on: processes, a database, load, watchers, the ledger, and what was found. Everything that is started
// here ends with it.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import type { Violation } from './check/checker.ts'
import { inspect } from './check/inspection.ts'
import { openLedger, readLedger } from './check/ledger.ts'
import { createRandom, digestOf } from './random.ts'
import { createService, freePort, type Service, type ServiceOptions } from './service.ts'
import { hasStream, startListener } from './load/listener.ts'
import { startPoller, type Watcher } from './load/poller.ts'
import { createWorld, type World } from './wallets.ts'
import { startWriters, type Writers } from './load/writers.ts'

export interface StageOptions {
  seed: number
  /** How long faults are played. */
  seconds: number
  /** Messages a second. */
  rate: number
  /** Multiplies every limit of time: more than 1 on a machine that has other things to do. */
  patience: number
  log: (line: string) => void
}

/** Thrown by a drill that cannot be played here; the message says what it needs. */
export class CannotRun extends Error {}

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(options: StageOptions) {
  const { seed, log } = options
  const stack = new AsyncDisposableStack()
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-drill-'))
  const violations: Violation[] = []
  stack.defer(async () => {
    // The ledger of a violation is evidence.
    if (violations.length > 0) log(`the ledger is kept: ${ledger.path}`)
    const dirs = ['data', 'database', 'sockets'].map((name) => path.join(directory, name))
    const gone = violations.length > 0 ? dirs : [directory]
    for (const each of gone) await rm(each, { recursive: true, force: true, maxRetries: 5 })
  })
  const ledger = stack.use(openLedger(path.join(directory, 'ledger.jsonl')))
  const random = createRandom(seed)
  const services: Service[] = []
  const recoveries: number[] = []
  const watchers: Watcher[] = []
  const extra: string[] = []
  const end = { at: Infinity }
  let world: World | undefined
  let writers: Writers | undefined
  let lasted = 0
  let loads = 0

  const report = (violation: Violation) => {
    violations.push(violation)
    if (violations.length <= 20) log(`VIOLATION ${violation.kind}: ${violation.detail}`)
  }

  const stage = {
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
    note: (figure: string) => void extra.push(figure),
    use: <T extends AsyncDisposable>(resource: T): T => stack.use(resource),

    /** A PostgreSQL of the drill's own; services share it by its URL. */
    async startDatabase() {
      const dataDir = path.join(directory, 'database')
      const database = stack.use(
        await startEmbedded({ dataDir, log: () => {}, settings: { max_connections: '200' } }),
      )
      return { url: database.url, dataDir }
    },

    /** Starts a service: on its own embedded database when `env` names none. All share their secret and public address. */
    async startService(
      env: Record<string, string> = {},
      how: Pick<ServiceOptions, 'preload' | 'within'> = {},
    ): Promise<Service> {
      const port = await freePort(createRandom(`${directory} ${services.length}`))
      const service = createService({
        port,
        env: {
          DATA_DIR: stage.dataDir,
          JWT_SECRET: digestOf(seed, 'secret'),
          PUBLIC_URL: services[0]?.url ?? `http://127.0.0.1:${port}`,
          LOG_LEVEL: 'warn',
          RATE_LIMITS: 'off',
          ...env,
        },
        ...how,
      })
      services.push(stack.use(service))
      await service.start()
      return service
    },

    /** Signs the wallets in, and starts the writers and those who look on. */
    async startLoad(urls: () => string[] = () => services.map(({ url }) => url), padding = 0) {
      world = await createWorld(seed, services[0]!.url)
      const shared = { world, ledger, random, urls, report }
      const own = (name: string) => ({ ...shared, random: random.fork(name) })
      writers = startWriters({
        ...own('writers'),
        rate: options.rate,
        prefix: `load${++loads}`,
        padding,
        writers: 24,
      })
      for (const [i, room] of world.rooms
        .filter((candidate) => 'pair' in candidate)
        .slice(0, 6)
        .entries())
        watchers.push(startPoller(own(`poller ${i}`), room))
      if (await hasStream(services[0]!.url))
        for (const [i, wallet] of world.addresses.slice(0, 2).entries())
          watchers.push(startListener(own(`listener ${i}`), wallet))
      else log('the service has no event stream (404): only pollers look on')
      end.at = performance.now() + options.seconds * 1000
      lasted ||= performance.now()
      return { world, writers }
    },

    isTime: () => performance.now() < end.at && violations.every(({ kind }) => kind === 'slow'),
    pause: (least: number, most = least) => sleep(random.between(least, most)),

    /** Waits until a write that began after `since` is acknowledged, and keeps how long that took. */
    async recovered(since: number, limit: number): Promise<void> {
      const most = limit * options.patience * 1000
      const at = await writers!.answeredAfter(since, Math.max(60_000, most))
      const took = ((at ?? Infinity) - since) / 1000
      recoveries.push(took)
      if (took * 1000 > most)
        report({
          kind: 'slow',
          detail: `back after ${took.toFixed(2)} s; ${(most / 1000).toFixed(1)} s are allowed`,
        })
    },

    /** Ends the load and those who look on, before something that they could not know of. */
    async endLoad(): Promise<void> {
      await writers!.stop()
      await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()))
    },

    /** How far the ledger is; and that the service was taken back to there. */
    ledgerLength: () => ledger.length,
    restored: (since: number) => ledger.write({ do: 'restored', since }),

    /** Ends the load, and looks at everything. */
    async finish(): Promise<void> {
      await writers!.stop()
      lasted = (performance.now() - lasted) / 1000
      for (const service of services)
        if (service.crashed)
          report({ kind: 'broken', detail: `a service ended by itself:\n${service.lastWords()}` })
      await Promise.all(watchers.map((watcher) => watcher.stop()))
      const resyncs = watchers.reduce((sum, watcher) => sum + (watcher.resyncs ?? 0), 0)
      if (resyncs > 0) extra.push(`listeners were told ${resyncs} times to read again`)
      const found = await inspect(world!, readLedger(ledger.path), watchers, services[0]!.url)
      found.forEach(report)
    },

    /** What the closing line says. */
    figures: () => ({
      acknowledged: [...ledger.history.values()].filter((entry) => entry.acknowledged).length,
      marked: writers?.marked ?? 0,
      lasted,
      failures: Object.fromEntries(writers?.failures ?? []),
      extra,
    }),
  }
  await mkdir(stage.dataDir)
  return Object.assign(stage, { [Symbol.asyncDispose]: () => stack.disposeAsync() })
}
