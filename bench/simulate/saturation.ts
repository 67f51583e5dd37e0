// This decides when a rate is more than a machine can do, and which part of it was full first.

/** The part of the resources that one step used. */
export interface Use {
  /** Actions a second: wanted, and answered in time. */
  wanted: number
  done: number
  /** The share of all requests, from 0 to 1, that got 429, and another status that is no success. */
  refused: number
  failed: number
  /** The 99th percentile of all waits in ms, counted from when a request was due. */
  p99: number
  /** Cores in use. */
  cores: { service: number; postgres: number; simulator: number; others: number }
  /** The share of its time that the disk was busy, from 0 to 1; NaN where it cannot be seen. */
  disk: number
  /** Connections of the service to the database that were at work, on average. */
  connections: number
}

/** The resources that there are. */
export interface Bounds {
  cores: number
  /** Processes of the service: each has one event loop, so one core at the most. */
  processes: number
  /** Connections of one process to the database. */
  connections: number
  /** A longer p99 in ms is too long. */
  wait: number
}

const full = 0.85

/** Returns true when the step was too much: responses came late, were missing, or were refusals. */
export const isTooMuch = ({ wanted, done, refused, failed, p99 }: Use, { wait }: Bounds): boolean =>
  done < wanted * 0.95 || refused + failed > 0.01 || p99 > wait

const allOf = ({ service, postgres, simulator, others }: Use['cores']) =>
  service + postgres + simulator + others

/** Returns how full each part was, from 0 to 1, in the order in which one of them is named as the cause. */
export function fullness({ cores, disk, connections }: Use, bounds: Bounds): [part: string, full: number][] {
  const { postgres, service, simulator, others } = cores
  return [
    ['CPU of one process of the service', service / bounds.processes],
    ['CPU of the machine', allOf(cores) / bounds.cores],
    ['of that, PostgreSQL', postgres / bounds.cores],
    ['the service', service / bounds.cores],
    ['the simulator', simulator / bounds.cores],
    ['others', others / bounds.cores],
    ['the disk', disk],
    ['connections to the database', connections / (bounds.connections * bounds.processes)],
  ]
}

/** Returns the part that was full first, in a step that was too much. */
export function firstFull(use: Use, bounds: Bounds): string {
  if (use.refused > 0.01) return 'refusals by limits (429)'
  if (use.failed > 0.01) return 'answers that are no success'
  const { service, postgres, simulator, others } = use.cores
  const all = allOf(use.cores)
  if (service >= full * bounds.processes) return 'the CPU of the service: its event loop has one core'
  if (all >= full * bounds.cores) {
    const percent = (part: number) => `${Math.round((part / all) * 100)} %`
    const own = `PostgreSQL ${percent(postgres)}, the service ${percent(service)}`
    return `the CPU of the machine (${own}, the simulator ${percent(simulator)}, others ${percent(others)})`
  }
  if (use.disk >= full) return 'the disk'
  if (use.connections >= full * bounds.connections * bounds.processes) return 'connections to the database'
  return 'waits that none of these explains, such as locks or commits'
}
