// This is an open loop: requests come when they are due, whether or not earlier ones have a response, as people do. Waits count
// from when a request was due, so a service that falls behind shows it.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connectTo } from '../load/http.ts'
import { latencyOf, type Latency } from '../load/load.ts'

export interface Due {
  kind: string
  bytes: Buffer
}

export interface Played {
  /** Actions that were due, and how many of them were answered when the time was over. */
  wanted: number
  done: number
  seconds: number
  /** Waits in ms of what succeeded, by kind of request. */
  kinds: Record<string, Latency>
  all: Latency
  requests: number
  refused: number
  /** Requests without an answer some seconds after the end. */
  missing: number
  /** The number of responses with each other status; `broken` for a broken connection. */
  failed: Record<string, number>
}

interface Plan {
  port: number
  /** The actions a second. */
  perSecond: number
  seconds: number
  random: () => number
  next: () => Promise<Due[]>
}

/** The maximum number of connections at once. */
const most = 128
/** Milliseconds to wait for responses that are still missing at the end. */
const grace = 5_000

/** Plays actions at a rate, at random times (a Poisson process). An action is done when all its requests are. */
export async function play({ port, perSecond, seconds, random, next }: Plan): Promise<Played> {
  const record = recorder()
  const lines = openLines(port)
  const start = performance.now()
  const end = start + seconds * 1000
  const counts = { wanted: 0, done: 0, underWay: 0 }
  try {
    for (let at = start; ;) {
      at += (-Math.log(1 - random()) / perSecond) * 1000
      if (at > end) break
      const early = at - performance.now()
      if (early > 0) await sleep(early)
      counts.wanted++
      const dues = await next()
      let left = dues.length
      counts.underWay += dues.length
      for (const { kind, bytes } of dues)
        lines.send(bytes, (status) => {
          const now = performance.now()
          record.add(kind, status, now - at)
          counts.underWay--
          left--
          if (left === 0 && now <= end + 100) counts.done++
        })
    }
    for (const last = performance.now() + grace; counts.underWay > 0 && performance.now() < last;)
      await sleep(10)
  } finally {
    lines.close()
  }
  const { wanted, done, underWay: missing } = counts
  return { wanted, done, seconds, missing, ...record.sums() }
}

/** Connections to the service, opened as they are needed, up to a bound; then requests wait in line. */
function openLines(port: number) {
  const waiting: { bytes: Buffer; onAnswer: (status: number | 'broken') => void }[] = []
  /** The connection that has been idle for longest comes first: the service closes what is idle for seconds. */
  const free: Line[] = []
  const all = new Set<Line>()
  let opening = 0
  const open = async () => {
    opening++
    const line: Line = { answered: undefined, connection: undefined }
    line.connection = await connectTo(port, () => {
      all.delete(line)
      if (free.includes(line)) free.splice(free.indexOf(line), 1)
      line.answered?.('broken')
    }).catch(() => undefined)
    opening--
    if (!line.connection) return waiting.shift()?.onAnswer('broken')
    all.add(line)
    free.push(line)
    hand()
  }
  const hand = () => {
    while (free.length > 0 && waiting.length > 0) {
      const line = free.shift()!
      const { bytes, onAnswer } = waiting.shift()!
      line.answered = onAnswer
      line.connection!.send(bytes, ({ status }) => {
        line.answered = undefined
        onAnswer(status)
        free.push(line)
        hand()
      })
    }
    if (waiting.length > opening && all.size + opening < most) void open()
  }
  return {
    send(bytes: Buffer, onAnswer: (status: number | 'broken') => void) {
      waiting.push({ bytes, onAnswer })
      hand()
    },
    close: () => all.forEach(({ connection }) => connection!.close()),
  }
}

interface Line {
  connection: Connection | undefined
  /** Receives the answer to the request under way. */
  answered: ((status: 'broken') => void) | undefined
}

function recorder() {
  const times = new Map<string, number[]>()
  const failed: Record<string, number> = {}
  let [requests, refused] = [0, 0]
  return {
    add(kind: string, status: number | 'broken', wait: number) {
      requests++
      if (status === 429) refused++
      else if (status === 'broken' || status >= 300) failed[status] = (failed[status] ?? 0) + 1
      else if (times.has(kind)) times.get(kind)!.push(wait)
      else times.set(kind, [wait])
    },
    sums: () => ({
      kinds: Object.fromEntries([...times].map(([kind, list]) => [kind, latencyOf(list)])),
      all: latencyOf([...times.values()].flat()),
      requests,
      refused,
      failed,
    }),
  }
}
