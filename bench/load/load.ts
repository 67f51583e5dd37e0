// These are closed loops: each connection sends its next request when it has the response to the one before. Requests and the
// statements of baselines are timed and counted in the same way.

import { connectTo } from './http.ts'

export interface Latency {
  count: number
  /** The latencies in milliseconds. */
  p50: number
  p95: number
  p99: number
  max: number
}

/** The result of one run of a case, or of a baseline. */
export interface Sample {
  seconds: number
  /** The latency of all that succeeded. */
  latency: Latency
  perSecond: number
  /** The mean size of a response in bytes. */
  bytes: number
  /** The latencies by kind, where a case mixes kinds of requests, and for those refused with 429. */
  kinds: Record<string, Latency>
  /** The number of responses with each other status; a working case has none. */
  failed: Record<string, number>
  /** The figures that only this case measures, by name and unit. */
  extra?: Record<string, number>
  /** The reason why there is nothing to measure. */
  skipped?: string
}

export interface Traffic {
  /** The requests are sent one after the other, each by the next free connection. */
  requests: { bytes: Buffer; kind: string }[]
  /** The first connection sends nothing but this, and the run lasts until it has one response. */
  pinned?: { bytes: Buffer; kind: string }
  /** True when each request is valid once. */
  once: boolean
}

/** Sends traffic for some seconds. */
export async function drive(
  port: number,
  { requests, pinned, once }: Traffic,
  connections: number,
  seconds: number,
): Promise<Sample> {
  const record = recorder()
  let failed: ((error: Error) => void) | undefined
  const broken = new Promise<never>((_, reject) => (failed = reject))
  const open = await Promise.all(
    Array.from({ length: connections }, () => connectTo(port, (error) => failed!(error))),
  )
  let next = 0
  let pending = pinned !== undefined
  const start = performance.now()
  const over = (now: number) =>
    (now - start > seconds * 1000 && !pending) ||
    now - start > (seconds + 60) * 1000 ||
    (once && next >= requests.length)

  const loop = (connection: (typeof open)[number], own: Traffic['pinned']) =>
    new Promise<void>((resolve) => {
      const step = (now: number) => {
        if (over(now)) return resolve()
        const request = own ?? requests[next++ % requests.length]!
        connection.send(request.bytes, ({ status, bytes }) => {
          const answered = performance.now()
          record.add(request.kind, status, bytes, answered - now)
          if (own) pending = false
          step(answered)
        })
      }
      step(performance.now())
    })
  try {
    await Promise.race([
      broken,
      Promise.all(open.map((connection, i) => loop(connection, i === 0 ? pinned : undefined))),
    ])
    return record.sample((performance.now() - start) / 1000)
  } finally {
    for (const connection of open) connection.close()
  }
}

/** Repeats a piece of work, with a limit at once, for some seconds. */
export async function repeat(
  work: (n: number) => Promise<unknown>,
  concurrency: number,
  seconds: number,
): Promise<Sample> {
  const record = recorder()
  let next = 0
  const start = performance.now()
  const loop = async () => {
    for (let now = start; now - start < seconds * 1000;) {
      await work(next++)
      const done = performance.now()
      record.add('', 200, 0, done - now)
      now = done
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return record.sample((performance.now() - start) / 1000)
}

function recorder() {
  const times = new Map<string, number[]>()
  const failed: Record<string, number> = {}
  let size = 0
  return {
    add(kind: string, status: number, bytes: number, milliseconds: number) {
      const label = status === 429 ? 'refused' : kind
      if (status >= 300 && status !== 429) {
        failed[status] = (failed[status] ?? 0) + 1
        return
      }
      if (status < 300) size += bytes
      const list = times.get(label)
      if (list) list.push(milliseconds)
      else times.set(label, [milliseconds])
    },
    sample(seconds: number): Sample {
      const good = [...times].flatMap(([kind, list]) => (kind === 'refused' ? [] : list))
      const kinds =
        times.size > 1 || times.has('refused')
          ? Object.fromEntries([...times].map(([kind, list]) => [kind, latencyOf(list)]))
          : {}
      const { length } = good
      return {
        seconds,
        latency: latencyOf(good),
        perSecond: length / seconds,
        bytes: size / Math.max(1, length),
        kinds,
        failed,
      }
    },
  }
}

export function latencyOf(times: number[]): Latency {
  const sorted = Float64Array.from(times).toSorted()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
