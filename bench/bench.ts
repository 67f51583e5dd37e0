import path from 'node:path'
import type { Case } from './cases/case.ts'
import { type Generator, startEmptyRoute, startGenerator } from './load/child-processes.ts'
import { measure, type Plan, type Result } from './measure.ts'
import { cpuSeconds } from '../testing/service/processes.ts'
import { type ServiceUnderTest, startServiceUnderTest } from './service/service-under-test.ts'
import { checkOut } from './worktree.ts'

export interface BenchOptions extends Pick<Plan, 'seconds' | 'rounds' | 'onProfile' | 'profiled'> {
  cases: Case[]
  /** The numbers of messages in the history; several run side by side, each on a service of its own. */
  sizes: number[]
  /** A git ref to run beside this checkout. */
  compare?: string | undefined
  /** The numbers of processes of the service; several run side by side, each on a service of its own. */
  instances?: number[]
  databaseUrl?: string | undefined
  /** Receives what happens now; `done` from 0 to 1 where it takes a while. */
  onStatus: (what: string, done?: number) => void
}

export interface Findings {
  results: Result[]
  histories: ({ label: string } & ServiceUnderTest['history'])[]
  /** The load generator's own limit, against the empty route: requests a second, and its CPU for each. */
  generator: { perSecond: number; microseconds: number }
}

/** Starts everything that is needed, measures, and removes it all. */
export async function bench(options: BenchOptions): Promise<Findings> {
  const {
    cases,
    sizes,
    seconds,
    rounds,
    compare,
    instances = [1],
    databaseUrl,
    onStatus,
    onProfile,
    profiled,
  } = options
  await using stack = new AsyncDisposableStack()
  const here = path.dirname(import.meta.dirname)
  const builds = [{ label: '', root: here }]
  if (compare !== undefined) {
    onStatus(`Checking out ${compare} …`)
    const other = stack.use(await checkOut(here, compare))
    builds.splice(0, 1, { label: other.commit, root: other.root }, { label: 'working tree', root: here })
  }
  const services: ServiceUnderTest[] = []
  const kinds = sizes.flatMap((size) =>
    builds.flatMap((build) => instances.map((count) => ({ size, ...build, instances: count }))),
  )
  for (const { size, root, label: of, instances: count } of kinds) {
    const label = [of, sizes.length > 1 || !of ? short(size) : '', instances.length > 1 ? `× ${count}` : '']
      .filter(Boolean)
      .join(' ')
    const progress = (done: number) =>
      onStatus(`Loading ${size.toLocaleString('en')} messages (${label})`, done)
    const service = await startServiceUnderTest({
      label,
      size,
      root,
      databaseUrl,
      instances: count,
      progress,
    })
    services.push(stack.use(service))
  }
  const empty = stack.use(await startEmptyRoute())
  const generator = stack.use(startGenerator())
  const own = await measureGenerator(generator, empty.port, seconds)
  const onCase = (which: Case, service: ServiceUnderTest) => onStatus(`${which.name} (${service.label})`)
  const results = await measure({
    cases,
    services,
    generator,
    emptyPort: empty.port,
    seconds,
    rounds,
    withBaselines: compare === undefined,
    onCase,
    ...(onProfile && { onProfile }),
    profiled,
  })
  const histories = services.map(({ label, history: { seconds: took, megabytes } }) => ({
    label,
    seconds: took,
    megabytes,
  }))
  return { results, histories, generator: own }
}

async function measureGenerator(generator: Generator, port: number, seconds: number) {
  const job = { do: 'empty', port, bytes: 100, connections: 32, seconds } as const
  await generator.ask(job)
  const before = cpuSeconds([generator.pid])
  const { perSecond, latency } = (await generator.ask(job))!
  const microseconds = ((cpuSeconds([generator.pid]) - before) / latency.count) * 1e6
  return { perSecond, microseconds }
}

/** Returns 100k for 100000. */
const short = (size: number): string =>
  size % 1_000_000 === 0 ? `${size / 1_000_000}m` : size % 1000 === 0 ? `${size / 1000}k` : String(size)
