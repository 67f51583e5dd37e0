// This is the order of measurements: for each case, for each round, every service in turn and its baselines right after it, so
// that other load on the machine affects all of them alike.

import { setTimeout as sleep } from 'node:timers/promises'
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
} from '../testing/service/processes.ts'
import type { ServiceUnderTest } from './service/service-under-test.ts'

/** One run of a case on one service, and the results of its baselines right after. */
export interface Round {
  sample: Sample
  /** The samples of the baselines, by name. */
  baselines: Record<string, Sample>
  /** The empty route, with a response of the same size. */
  empty: Sample | undefined
  cost: Cost
}

interface Cost {
  /** The seconds that were counted: the run, and opening its connections, which with thousands of streams is most of it. */
  seconds: number
  /** The seconds of CPU in that time. */
  cpu: { service: number; postgres: number; generator: number; others: number }
  /** The memory in MB: the most in this run; for PostgreSQL that at its end. */
  memory: { service: number; serviceGrowth: number; postgres: number; generator: number }
  /** The longest delay of the service's event loop in ms, and the most CPU in ms of one turn of it. */
  loop: { delay: number; busy: number }
}

export interface Result {
  case: string
  about: string
  connections: number
  service: string
  size: number
  rounds: Round[]
}

export interface Plan {
  cases: Case[]
  services: ServiceUnderTest[]
  generator: Generator
  emptyPort: number
  seconds: number
  rounds: number
  /** False when two builds are compared with each other, which needs no baselines. */
  withBaselines: boolean
  onCase: (which: Case, service: ServiceUnderTest) => void
  onProfile?: (which: Case, profile: unknown) => Promise<void>
  /** The cases of which profiles are made; all of them when left out. */
  profiled?: Case[] | undefined
}

/** Measures every case of the plan on every build of it. */
export async function measure(plan: Plan): Promise<Result[]> {
  const results: Result[] = []
  for (const which of plan.cases) results.push(...(await measureCase(plan, which)))
  return results
}

async function measureCase(plan: Plan, which: Case): Promise<Result[]> {
  const { name, about, connections } = which
  const results = plan.services.map(({ label, target }): Result => {
    return { case: name, about, connections, service: label, size: target.size, rounds: [] }
  })
  for (const service of plan.services) {
    plan.onCase(which, service)
    await plan.generator.ask({ do: 'prepare', case: name, target: service.target })
    if (which.traffic) await load(plan, which, service, Math.min(1, plan.seconds))
  }
  for (let round = 0; round < plan.rounds; round++)
    for (const i of inTurn(plan.services.length, round)) {
      const service = plan.services[i]!
      plan.onCase(which, service)
      await settle(plan)
      const { sample, cost } = await load(plan, which, service, plan.seconds)
      const compared = plan.withBaselines && !sample.skipped
      const baselines = compared ? await loadBaselines(plan, which, service) : {}
      const empty = compared && which.traffic ? await loadEmpty(plan, which, sample.bytes) : undefined
      results[i]!.rounds.push({ sample, cost, baselines, empty })
      if (sample.skipped) return results
    }
  if (plan.onProfile && (plan.profiled ?? plan.cases).includes(which))
    await profile(plan, which, plan.services[0]!, plan.onProfile)
  return results
}

/** Waits until no service works on what runs before have left, such as the index of searches: each would slow the others. */
async function settle({ services }: Plan): Promise<void> {
  const used = () => cpuSeconds(services.flatMap((one) => [...one.pids(), ...one.databasePids()]))
  const most = 60
  for (let n = 0; n < most; n++) {
    const before = used()
    // The readers of the log poll once a second.
    await sleep(1500)
    if (used() - before < idle * services.length) return
  }
}

/** A service with nothing to do uses fewer seconds of CPU than this in 1.5 s. */
const idle = 0.05

/** Returns the order forwards, then backwards, so that no service is always measured after another. */
const inTurn = (count: number, round: number): number[] => {
  const order = Array.from({ length: count }, (_, i) => i)
  return round % 2 === 0 ? order : order.toReversed()
}

/** Makes another run only for the profile, since profiling costs time. */
async function profile(
  plan: Plan,
  which: Case,
  service: ServiceUnderTest,
  onProfile: NonNullable<Plan['onProfile']>,
) {
  const job = { case: which.name, target: service.target, seconds: plan.seconds }
  await plan.generator.ask({ do: 'requests', ...job })
  await service.ask('profile-start')
  await plan.generator.ask({ do: 'load', ...job })
  await onProfile(which, await service.ask('profile-stop'))
}

async function load({ generator }: Plan, which: Case, service: ServiceUnderTest, seconds: number) {
  const job = { case: which.name, target: service.target, seconds }
  await generator.ask({ do: 'requests', ...job })
  for (const pid of [service.pid, generator.pid]) forgetPeak(pid)
  const before = memory(service.pid)
  await service.ask('reset')
  // Reading /proc takes a while on a busy machine: what is used meanwhile is counted, so that time is too.
  const began = performance.now()
  const since = cpuClock(service, generator)
  const sample = (await generator.ask({ do: 'load', ...job }))!
  const cpu = since()
  const cost: Cost = {
    seconds: (performance.now() - began) / 1000,
    cpu,
    memory: {
      service: peakMemory(service.pid),
      serviceGrowth: peakMemory(service.pid) - before,
      postgres: sharedMemory(service.databasePids()),
      generator: peakMemory(generator.pid),
    },
    loop: await service.ask<Cost['loop']>('loop'),
  }
  return { sample, cost }
}

/** Begins to count CPU; the returned function gives the seconds of each process since then. */
export function cpuClock(
  service: Pick<ServiceUnderTest, 'pids' | 'databasePids'>,
  generator: { pid: number },
): () => Cost['cpu'] {
  const read = () => ({
    service: cpuSeconds(service.pids()),
    postgres: service.databasePids().length > 0 ? cpuSeconds(service.databasePids()) : Number.NaN,
    generator: cpuSeconds([generator.pid]),
    machine: machineSeconds(),
  })
  const from = read()
  return () => {
    const now = read()
    const used = {
      service: now.service - from.service,
      postgres: now.postgres - from.postgres,
      generator: now.generator - from.generator,
    }
    const others = now.machine - from.machine - used.service - used.postgres - used.generator
    return { ...used, others: Math.max(0, others) }
  }
}

async function loadBaselines({ generator, seconds }: Plan, which: Case, { target }: ServiceUnderTest) {
  const baselines: Record<string, Sample> = {}
  for (const [baseline, { name }] of which.baselines.entries())
    baselines[name] = (await generator.ask({ do: 'baseline', baseline, case: which.name, target, seconds }))!
  return baselines
}

const loadEmpty = ({ generator, emptyPort, seconds }: Plan, { connections }: Case, bytes: number) =>
  generator.ask({ do: 'empty', port: emptyPort, bytes, connections, seconds: seconds / 2 })
