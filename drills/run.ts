// This is one run of a drill: its services, database, load and watchers, the ledger, and what was found. Everything that is
// started here ends with it.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../server/src/check/check.ts'
import { leash } from '../testing/service/leash.ts'
import type { ServiceProcess } from '../testing/service/service-process.ts'
import { type Findings, openFindings } from './check/findings.ts'
import { inspect } from './check/inspection.ts'
import { type Entry, type Ledger, openLedger, readLedger } from './check/ledger.ts'
import { createRandom, type Random } from './random.ts'
import { type Load, startLoad } from './load/load.ts'
import { openServices } from './services.ts'

export interface RunOptions {
  seed: number
  /** The seconds in which faults are caused. */
  seconds: number
  /** Messages a second. */
  rate: number
  /** Multiplies every time limit: more than 1 on a machine with other work to do. */
  patience: number
  /** Direct messages that are stored before, where the drill can do so. */
  messages?: number
  /** Puts a database with the tables into a data directory, where many drills run: making one takes seconds. */
  prepare?: (dataDir: string) => Promise<void>
  log: (line: string) => void
}

/** Thrown by a drill that cannot run here; the message says what it needs. */
export class CannotRun extends Error {}

export type Run = Awaited<ReturnType<typeof openRun>>

export async function openRun(options: RunOptions) {
  const { seed, log } = options
  const stack = new AsyncDisposableStack()
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-drill-'))
  const findings = openFindings(log)
  stack.defer(async () => {
    const isGood = findings.violations.length === 0
    // The ledger proves a violation, so it stays.
    if (!isGood) log(`the ledger is kept: ${ledger.path}`)
    else await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  stack.use(
    leash(
      directory,
      ['data', 'database', 'sockets'].map((name) => path.join(directory, name)),
    ),
  )
  const ledger = stack.use(openLedger(path.join(directory, 'ledger.jsonl')))
  const random = createRandom(seed)
  const started = openServices(seed, directory, stack, options.prepare)
  await mkdir(started.dataDir)
  const loads = openLoads(options, { ledger, random, findings, ...started })
  // This comes before the end of the services: what fails because they end is no finding.
  const dispose = () => loads.abandonLoad().finally(() => stack.disposeAsync())
  return {
    ...options,
    ...findings,
    ...started,
    ...loads,
    directory,
    random,
    history: ledger.history,
    use: <T extends AsyncDisposable>(resource: T): T => stack.use(resource),
    pause: (least: number, most = least) => sleep(random.between(least, most)),
    /** Returns the number of lines of the ledger. */
    ledgerLength: () => ledger.length,
    /** Records that the service was restored to what the ledger had at that length. */
    restored: (since: number) => ledger.write({ do: 'restored', since }),
    [Symbol.asyncDispose]: dispose,
  }
}

interface Parts {
  ledger: Ledger
  random: Random
  findings: Findings
  services: ServiceProcess[]
  findDatabase: () => Promise<string>
}

/** Opens the load of a run, what it waits for, and the check at its end. */
function openLoads(options: RunOptions, { ledger, random, findings, services, findDatabase }: Parts) {
  const { seed, rate, patience, log } = options
  const { violations, recoveries, notes, report } = findings
  const ending = new AbortController()
  let load: Load | undefined
  let loads = 0
  let end = Infinity
  let lasted = 0

  const stopWriting = () => Promise.all([load!.writers.stop(), load!.uploaders?.stop()])

  return {
    /** Signs the wallets in, and starts the writers and the watchers. */
    async startLoad(
      urls: () => string[] = () => services.map(({ url }) => url),
      { padding = 0, changes = false, files = false } = {},
    ) {
      const shared = {
        seed,
        rate,
        padding,
        changes,
        files,
        patience,
        ledger,
        random,
        urls,
        report,
        log,
        ended: ending.signal,
      }
      load = await startLoad(services[0]!.url, { ...shared, prefix: `load${++loads}` })
      end = performance.now() + options.seconds * 1000
      lasted ||= performance.now()
      return load
    },

    /** Returns true when there is time for another fault; false after a violation other than slowness. */
    hasTime: () => performance.now() < end && violations.every(({ kind }) => kind === 'slow'),

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
      await stopWriting()
      await Promise.all(load!.watchers.map((watcher) => watcher.stop()))
    },

    /** Ends the load and the watchers wherever they are, when the drill has failed or is over. */
    async abandonLoad(): Promise<void> {
      ending.abort()
      if (!load) return
      await Promise.allSettled([stopWriting(), ...load.watchers.map((watcher) => watcher.stop())])
    },

    /** Ends the load and checks everything. */
    async finish(): Promise<void> {
      const { wallets, watchers } = load!
      await stopWriting()
      lasted = (performance.now() - lasted) / 1000
      for (const service of services)
        if (service.hasCrashed)
          report({ kind: 'broken', detail: `a service ended by itself:\n${lastLines(service)}` })
      await Promise.all(watchers.map((watcher) => watcher.stop()))
      const resyncs = watchers.reduce((sum, watcher) => sum + (watcher.resyncs ?? 0), 0)
      if (resyncs > 0) notes.push(`listeners received ${resyncs} resync events`)
      const found = await inspect(wallets, readLedger(ledger.path), watchers, services[0]!.url)
      found.forEach(report)
      const databaseUrl = await findDatabase()
      await check({
        databaseUrl,
        onFault: ({ row, wrong }) => report({ kind: 'count', detail: `${row}: ${wrong.join('; ')}` }),
      })
    },

    /** Returns the figures of the closing line. */
    figures: () => ({ ...figuresOf([...ledger.history.values()], load), lasted }),
  }
}

function figuresOf(entries: Entry[], load: Load | undefined) {
  const ofFiles = [...(load?.uploaders?.failures ?? [])].map(
    ([name, times]) => [`${name} (files)`, times] as const,
  )
  return {
    acknowledged: entries.filter((entry) => entry.acknowledged).length,
    marked: load?.writers.marked ?? 0,
    changed: changedIn(entries),
    failures: Object.fromEntries([...(load?.writers.failures ?? []), ...ofFiles]) as Record<string, number>,
  }
}

/** Returns how many changes of messages were acknowledged, where there were any. */
function changedIn(entries: Entry[]): string {
  const acknowledged = (all: { acknowledged: boolean }[] = []) => all.filter((one) => one.acknowledged).length
  const sum = (of: (entry: Entry) => number) => entries.reduce((total, entry) => total + of(entry), 0)
  const edits = sum((entry) => acknowledged(entry.edits))
  const reactions = sum((entry) => acknowledged([...(entry.reactions?.values() ?? [])].flat()))
  const replies = sum(({ replyTo, acknowledged: sent }) => (replyTo !== undefined && sent ? 1 : 0))
  return edits + reactions + replies > 0 ? `, ${replies} replies, ${edits} edits, ${reactions} reactions` : ''
}

const lastLines = (service: ServiceProcess) => service.printed().split('\n').slice(-40).join('\n')
