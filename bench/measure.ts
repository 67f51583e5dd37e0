// The order of things: for each case, for each round, every build in turn and its floors right behind it, so that what
// else the machine does meets all of them alike.

import type { Case } from './cases/case.ts'
import type { Generator } from './load/child-processes.ts'
import type { Sample } from './load/load.ts'
import {
  cpuSeconds,
  forgetPeak,
  machineSeconds,
  memory,
  peakMemory,
  sharedMemory,
} from '../testing/processes.ts'
import type { Stand } from './service/service-under-test.ts'

/** One run of a case on one build, and what its floors came to right after. */
export interface Round {
  sample: Sample
  /** Samples of the floors, by name. */
  floors: Record<string, Sample>
  /** The empty route, with an answer as large. */
  empty: Sample | undefined
  cost: Cost
}

interface Cost {
  /** How long was counted: the run, and opening its connections, which with thousands of streams is most of it. */
  seconds: number
  /** Seconds of CPU in that time. */
  cpu: { service: number; postgres: number; generator: number; others: number }
  /** MB: the most in this run; of PostgreSQL at its end. */
  memory: { service: number; serviceGrowth: number; postgres: number; generator: number }
  /** Longest time in ms that the service's event loop was kept, and the most CPU that it took in one. */
  loop: { delay: number; busy: number }
}

export interface Result {
  case: string
  about: string
  connections: number
  stand: string
  size: number
  rounds: Round[]
}

export interface Plan {
  cases: Case[]
  stands: Stand[]
  generator: Generator
  emptyPort: number
  seconds: number
  rounds: number
  /** Floors tell about one build; two builds tell about each other. */
  withFloors: boolean
  onCase: (which: Case, stand: Stand) => void
  onProfile?: (which: Case, profile: unknown) => Promise<void>
}

/** Measures every case of the plan on every build of it. */
export async function measure(plan: Plan): Promise<Result[]> {
  const results: Result[] = []
  for (const which of plan.cases) results.push(...(await measureCase(plan, which)))
  return results
}

async function measureCase(plan: Plan, which: Case): Promise<Result[]> {
  const { name, about, connections } = which
  const results = plan.stands.map(({ label, target }): Result => {
    return { case: name, about, connections, stand: label, size: target.size, rounds: [] }
  })
  for (const stand of plan.stands) {
    plan.onCase(which, stand)
    await plan.generator.ask({ do: 'prepare', case: name, target: stand.target })
    if (which.traffic) await load(plan, which, stand, Math.min(1, plan.seconds))
  }
  for (let round = 0; round < plan.rounds; round++)
    for (const i of inTurn(plan.stands.length, round)) {
      const stand = plan.stands[i]!
      plan.onCase(which, stand)
      const { sample, cost } = await load(plan, which, stand, plan.seconds)
      const compared = plan.withFloors && !sample.skipped
      const floors = compared ? await loadFloors(plan, which, stand) : {}
      const empty = compared && which.traffic ? await loadEmpty(plan, which, sample.bytes) : undefined
      results[i]!.rounds.push({ sample, cost, floors, empty })
      if (sample.skipped) return results
    }
  if (plan.onProfile) await profile(plan, which, plan.stands[0]!, plan.onProfile)
  return results
}

/** There and back again, so that none is always the one that comes after. */
const inTurn = (count: number, round: number): number[] => {
  const order = Array.from({ length: count }, (_, i) => i)
  return round % 2 === 0 ? order : order.toReversed()
}

/** One more run that counts for nothing else, since looking costs time. */
async function profile(plan: Plan, which: Case, stand: Stand, onProfile: NonNullable<Plan['onProfile']>) {
  const job = { case: which.name, target: stand.target, seconds: plan.seconds }
  await plan.generator.ask({ do: 'requests', ...job })
  await stand.ask('profile-start')
  await plan.generator.ask({ do: 'load', ...job })
  await onProfile(which, await stand.ask('profile-stop'))
}

async function load({ generator }: Plan, which: Case, stand: Stand, seconds: number) {
  const job = { case: which.name, target: stand.target, seconds }
  await generator.ask({ do: 'requests', ...job })
  for (const pid of [stand.pid, generator.pid]) forgetPeak(pid)
  const before = memory(stand.pid)
  await stand.ask('reset')
  const since = cpuClock(stand, generator)
  const began = performance.now()
  const sample = (await generator.ask({ do: 'load', ...job }))!
  const cost: Cost = {
    seconds: (performance.now() - began) / 1000,
    cpu: since(),
    memory: {
      service: peakMemory(stand.pid),
      serviceGrowth: peakMemory(stand.pid) - before,
      postgres: sharedMemory(stand.databasePids()),
      generator: peakMemory(generator.pid),
    },
    loop: await stand.ask<Cost['loop']>('loop'),
  }
  return { sample, cost }
}

/** Begins to count CPU; what it returns tells how much went where since. */
function cpuClock(stand: Stand, generator: Generator): () => Cost['cpu'] {
  const read = () => [
    cpuSeconds([stand.pid]),
    stand.databasePids().length > 0 ? cpuSeconds(stand.databasePids()) : Number.NaN,
    cpuSeconds([generator.pid]),
    machineSeconds(),
  ]
  const from = read()
  return () => {
    const [service, postgres, own, all] = read().map((seconds, i) => seconds - from[i]!) as [
      number,
      number,
      number,
      number,
    ]
    return { service, postgres, generator: own, others: Math.max(0, all - service - postgres - own) }
  }
}

async function loadFloors({ generator, seconds }: Plan, which: Case, { target }: Stand) {
  const floors: Record<string, Sample> = {}
  for (const [floor, { name }] of which.floors.entries())
    floors[name] = (await generator.ask({ do: 'floor', floor, case: which.name, target, seconds }))!
  return floors
}

const loadEmpty = ({ generator, emptyPort, seconds }: Plan, { connections }: Case, bytes: number) =>
  generator.ask({ do: 'empty', port: emptyPort, bytes, connections, seconds: seconds / 2 })
