// Records what this process did in each of the last sixty minutes, for the page /status: the differences of its metrics from
// minute to minute. A scraper of /metrics can store more than an hour.

import type { Counter, Gauge } from 'prom-client'
import { repeat } from '../lib/repeat.ts'
import { minute } from '../lib/times.ts'
import { limitRefusals, openStreams, problems, requestBuckets, requestSeconds } from './metrics.ts'

export interface Minute {
  /** The minute began at this time, in epoch milliseconds. */
  at: number
  /**
   * Counts the requests that took up to each bound of `requestBounds`, and those that took longer. Event streams are left out.
   */
  durations: number[]
  /** Counts responses with status 500 and above. */
  errors: number
  /** Counts problems by code. */
  problems: Record<string, number>
  /** Counts refusals by the name of the limit. */
  limits: Record<string, number>
  /** This many event streams are open at the end of the minute. */
  streams: number
  /** This is processor time, in seconds. */
  cpu: number
  /** This is resident memory at the end of the minute, in bytes. */
  memory: number
}

const most = 60

interface Totals {
  durations: number[]
  errors: number
  problems: Record<string, number>
  limits: Record<string, number>
  cpu: number
}

export interface History extends AsyncDisposable {
  /** Returns the last minutes, the oldest first; the last one is not over. */
  minutes: () => Promise<Minute[]>
}

/** Records the minutes of this process until it is disposed of. */
export async function keepHistory(): Promise<History> {
  const past: Minute[] = []
  let begun = { at: Date.now(), totals: await readTotals() }

  async function read(): Promise<{ now: Minute; totals: Totals }> {
    const totals = await readTotals()
    return {
      totals,
      now: {
        at: begun.at,
        durations: totals.durations.map((count, i) => count - (begun.totals.durations[i] ?? 0)),
        errors: totals.errors - begun.totals.errors,
        problems: subtract(totals.problems, begun.totals.problems),
        limits: subtract(totals.limits, begun.totals.limits),
        cpu: totals.cpu - begun.totals.cpu,
        streams: await sumOf(openStreams),
        memory: process.memoryUsage.rss(),
      },
    }
  }

  // The minutes follow the clock, so that those of several processes can be added up.
  const keeping = repeat(1_000, async () => {
    if (minuteOf(Date.now()) === minuteOf(begun.at)) return
    const { now, totals } = await read()
    past.push(now)
    if (past.length >= most) past.shift()
    begun = { at: Date.now(), totals }
  })
  return {
    minutes: async () => [...past, (await read()).now],
    [Symbol.asyncDispose]: () => keeping[Symbol.asyncDispose](),
  }
}

/** Returns the number of a minute since 1970. */
export const minuteOf = (ms: number): number => Math.floor(ms / minute)

async function readTotals(): Promise<Totals> {
  const { user, system } = process.cpuUsage()
  return {
    ...(await readRequests()),
    problems: await countsOf(problems, 'code'),
    limits: await countsOf(limitRefusals, 'limit'),
    cpu: (user + system) / 1e6,
  }
}

/** These are the upper bounds of `durations`, in seconds. */
export const requestBounds: readonly number[] = requestBuckets

/** A bucket of a Prometheus histogram includes all smaller ones; a bucket here does not. */
async function readRequests(): Promise<Pick<Totals, 'durations' | 'errors'>> {
  const upTo = Array.from({ length: requestBounds.length + 1 }, () => 0)
  let errors = 0
  for (const { labels, value, metricName } of (await requestSeconds.get()).values) {
    if (!metricName?.endsWith('_bucket') || labels.route === '/v1/events') continue
    const { le } = labels as { le?: string | number }
    upTo[le === '+Inf' ? requestBounds.length : requestBounds.indexOf(Number(le))]! += value
    if (le === '+Inf' && Number(labels.status) >= 500) errors += value
  }
  return { durations: upTo.map((count, i) => count - (upTo[i - 1] ?? 0)), errors }
}

async function countsOf<Label extends string>(counter: Counter<Label>, label: Label) {
  const { values } = await counter.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels[label]), value]))
}

const sumOf = async (gauge: Gauge) => (await gauge.get()).values.reduce((sum, { value }) => sum + value, 0)

const subtract = (now: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, count]): [string, number] => [name, count - (before[name] ?? 0)])
      .filter(([, count]) => count > 0),
  )
