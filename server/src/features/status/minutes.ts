import type { StatusMinute } from '@parley/sdk/contract/status.ts'
import { minute } from '../../lib/times.ts'
import { type Minute, minuteOf, requestBounds } from '../../telemetry/history.ts'

/** Adds up the minutes of several processes in one list, the oldest first. */
export function addUp(processes: Minute[][]): StatusMinute[] {
  const byMinute = Map.groupBy(processes.flat(), ({ at }) => minuteOf(at))
  return [...byMinute]
    .toSorted(([one], [other]) => one - other)
    .map(([number, all]) => toStatus(number * minute, all))
}

function toStatus(at: number, all: Minute[]): StatusMinute {
  const durations = all[0]!.durations.map((_, i) => sum(all, (one) => one.durations[i] ?? 0))
  // A minute that is not over counts for as long as it lasts.
  const seconds = Math.min(60, Math.max(1, (Date.now() - at) / 1000))
  return {
    at: new Date(at).toISOString(),
    requests: sum(durations, (count) => count),
    errors: sum(all, ({ errors }) => errors),
    refused: sum(all, ({ limits }) => sum(Object.values(limits), (count) => count)),
    p50_ms: quantile(durations, 0.5),
    p99_ms: quantile(durations, 0.99),
    streams: sum(all, ({ streams }) => streams),
    cpu_percent: Math.round((sum(all, ({ cpu }) => cpu) / seconds) * 1000) / 10,
    memory_bytes: sum(all, ({ memory }) => memory),
  }
}

/** Counts how often each thing was in all of these minutes, the most frequent first. */
export function countAll(processes: Minute[][], of: 'limits' | 'problems') {
  const counts = new Map<string, number>()
  for (const one of processes.flat())
    for (const [name, count] of Object.entries(one[of])) counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
}

/**
 * Returns the milliseconds within which this share of the requests ended, by a straight line within a bucket, as Prometheus
 * computes it. A longer time than the last bound counts as the bound.
 */
export function quantile(durations: number[], share: number): number {
  let left = sum(durations, (count) => count) * share
  for (const [i, count] of durations.entries()) {
    const [from, to] = [requestBounds[i - 1] ?? 0, requestBounds[i]]
    if (to === undefined) break
    if (count > 0 && left <= count) return Math.round((from + ((to - from) * left) / count) * 10_000) / 10
    left -= count
  }
  return sum(durations, (count) => count) === 0 ? 0 : requestBounds.at(-1)! * 1000
}

const sum = <Item>(items: Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0)
