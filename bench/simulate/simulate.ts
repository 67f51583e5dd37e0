// This is the order of a simulation: the history is written, each action is done alone, then all are done together at a rate that
// grows until something is full. The cost of an action is that of the last rate that was not too much.

import os from 'node:os'
import path from 'node:path'
import { countInstances } from '../../server/src/instances/count.ts'
import { startWorker } from '../load/child-processes.ts'
import type { Latency } from '../load/load.ts'
import { startBuild } from '../service/service-under-test.ts'
import { type Action, actions, type Habits } from './habits.ts'
import type { Played } from './open-loop.ts'
import type { Answer, Job } from './player.ts'
import { type History, writeHistory } from './history.ts'
import type { Law } from './population.ts'
import { type Cost, costOf, type Room } from './reckoning.ts'
import { type Bounds, firstFull, isTooMuch, type Use } from './saturation.ts'
import { openWatch, type Usage, type Watch } from './usage.ts'

export interface SimulationOptions {
  wallets: number
  days: number
  minutes: number
  law: Law
  habits: Habits
  room: Room
  steps: { from: number; factor: number; wait: number }
  /** The number of processes of the service, or `auto`. */
  instances: number | 'auto'
  databaseUrl: string | undefined
  onStatus: (what: string, done?: number) => void
}

interface Alone {
  action: Action
  /** Microseconds of CPU for each. */
  service: number
  postgres: number
  /** Bytes of WAL for each. */
  wal: number
  waits: Latency
}

interface Step {
  played: Played
  /** Messages that came by event streams. */
  received: number
  use: Use
  usage: Usage
  tooMuch: boolean
}

export interface Simulation {
  alone: Alone[]
  steps: Step[]
  bounds: Bounds
  /** The part that was full first; undefined when the time was over before. */
  full: string | undefined
  /** The cost of a wallet and day, from the highest step that was not too much, or else from the first. */
  cost: Cost
  history: History
  /** Open event streams of the sample. */
  streams: number
}

interface Tools {
  options: SimulationOptions
  watch: Watch
  ask: (job: Job) => Promise<Answer>
}

/** Connections of one process of the service to its database, as `DATABASE_POOL_SIZE` is unless it is set. */
const poolSize = 16
/** The part of the time for actions alone; the rest is for the steps. */
const aloneShare = 0.2
const expectedSteps = 9

/** Starts the service, plays, measures, and removes everything. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const {
    databaseUrl,
    instances,
    onStatus,
    law,
    habits,
    steps: { wait },
  } = options
  await using stack = new AsyncDisposableStack()
  onStatus('Starting the service …')
  const root = path.resolve(import.meta.dirname, '../..')
  const service = stack.use(await startBuild({ root, databaseUrl, instances }))
  const player = stack.use(startWorker<Job, Answer>(path.join(import.meta.dirname, 'player.ts')))
  const watch = stack.use(await openWatch(service, player))
  const tools: Tools = { options, watch, ask: player.ask }
  const begin = { do: 'begin', target: service.target, law, habits, days: options.days } as const
  const history = await writeHistory(begin, player.ask, watch, (done) =>
    onStatus('Acquaintances write to each other', done),
  )
  const streams = Math.round(law.sample * habits.streams)
  onStatus(`Opening ${streams} event streams`)
  await player.ask({ do: 'streams', count: streams })
  const alone: Alone[] = []
  for (const action of actions) {
    onStatus(`${action} alone`)
    alone.push(await measureAlone(tools, action))
  }
  const bounds: Bounds = {
    cores: os.availableParallelism(),
    processes: countInstances(instances),
    connections: poolSize,
    wait,
  }
  const steps = await raise(tools, bounds)
  const last = steps.at(-1)!
  return {
    alone,
    steps,
    bounds,
    full: last.tooMuch ? firstFull(last.use, bounds) : undefined,
    cost: costOf(steps.findLast(({ tooMuch }) => !tooMuch) ?? steps[0]!, habits, history),
    history,
    streams,
  }
}

async function measureAlone({ options, watch, ask }: Tools, action: Action): Promise<Alone> {
  const seconds = (options.minutes * 60 * aloneShare) / actions.length
  const end = await watch.begin()
  const { sample } = await ask({ do: 'alone', action, seconds })
  const { cpu, wal } = await end()
  const { latency } = sample!
  // A start is two requests.
  const count = action === 'start' ? latency.count / 2 : latency.count
  const of = (used: number) => used / Math.max(1, count)
  return {
    action,
    service: of(cpu.service) * 1e6,
    postgres: of(cpu.postgres) * 1e6,
    wal: of(wal),
    waits: latency,
  }
}

/** Plays steps, each faster than the one before, until one is too much or the time is over. */
async function raise({ options, watch, ask }: Tools, bounds: Bounds): Promise<Step[]> {
  const {
    minutes,
    steps: { from, factor },
    onStatus,
  } = options
  const whole = minutes * 60 * (1 - aloneShare)
  const seconds = whole / expectedSteps
  const steps: Step[] = []
  const until = performance.now() + whole * 1000
  for (let perSecond = from; steps.length === 0 || performance.now() < until; perSecond *= factor) {
    onStatus(`Everything, ${Math.round(perSecond)} actions a second`)
    const end = await watch.begin()
    const { played, received } = await ask({ do: 'mixed', perSecond, seconds })
    const usage = await end()
    const use = useOf(played!, usage)
    steps.push({ played: played!, received: received!, usage, use, tooMuch: isTooMuch(use, bounds) })
    if (steps.at(-1)!.tooMuch) break
  }
  return steps
}

function useOf(played: Played, { seconds, cpu, disk, connections }: Usage): Use {
  const { service, postgres, generator, others } = cpu
  const failures = Object.values(played.failed).reduce((sum, times) => sum + times, 0)
  return {
    wanted: played.wanted / played.seconds,
    done: played.done / played.seconds,
    refused: played.refused / Math.max(1, played.requests),
    failed: failures / Math.max(1, played.requests),
    p99: played.all.p99,
    cores: {
      service: service / seconds,
      postgres: postgres / seconds,
      simulator: generator / seconds,
      others: others / seconds,
    },
    disk,
    connections,
  }
}
