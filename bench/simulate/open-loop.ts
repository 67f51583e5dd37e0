// An open loop: requests come when they are due, whether or not earlier ones were answered, as people do. Waits count from
// when a request was due, so a service that falls behind shows it.

import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo } from '../load/http.ts'
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
  /** How often each other status came. */
  failed: Record<string, number>
}

interface Plan {
  port: number
  /** Actions a second. */
  perSecond: number
  seconds: number
  random: () => number
  next: () => Promise<Due[]>
}

const connections = 128
/** Milliseconds for answers that are still missing at the end. */
const grace = 5_000

/** Plays actions at a rate, at random times (a Poisson process). An action is done when all its requests are. */
export async function play({ port, perSecond, seconds, random, next }: Plan): Promise<Played> {
  const waiting: { due: Due; at: number; action: { left: number } }[] = []
  const times = new Map<string, number[]>()
  const failed: Record<string, number> = {}
  const counts = { wanted: 0, done: 0, requests: 0, refused: 0, underWay: 0 }
  const timesOf = (kind: string) => times.get(kind) ?? times.set(kind, []).get(kind)!
  const state: { broken?: Error } = {}
  const open = await Promise.all(
    Array.from({ length: connections }, () => connectTo(port, (error) => (state.broken ??= error))),
  )
  const free = [...open]
  const start = performance.now()
  const end = start + seconds * 1000

  const hand = () => {
    while (free.length > 0 && waiting.length > 0) {
      const connection = free.pop()!
      const { due, at, action } = waiting.shift()!
      connection.send(due.bytes, ({ status }) => {
        const now = performance.now()
        counts.underWay--
        if (status === 429) counts.refused++
        else if (status >= 300) failed[status] = (failed[status] ?? 0) + 1
        else timesOf(due.kind).push(now - at)
        action.left--
        if (action.left === 0 && now <= end + 100) counts.done++
        free.push(connection)
        hand()
      })
    }
  }
  const come = async (at: number) => {
    const dues = await next()
    const action = { left: dues.length }
    counts.requests += dues.length
    counts.underWay += dues.length
    for (const due of dues) waiting.push({ due, at, action })
    hand()
  }

  try {
    for (let at = start; !state.broken;) {
      at += (-Math.log(1 - random()) / perSecond) * 1000
      if (at > end) break
      const early = at - performance.now()
      if (early > 0) await sleep(early)
      counts.wanted++
      await come(at)
    }
    for (const last = performance.now() + grace; counts.underWay > 0 && performance.now() < last;)
      await sleep(10)
    if (state.broken) throw state.broken
  } finally {
    for (const connection of open) connection.close()
  }
  // What had no answer at all is no success.
  if (counts.underWay > 0) failed['none'] = counts.underWay
  const { wanted, done, requests, refused } = counts
  const all = latencyOf([...times.values()].flat())
  const kinds = Object.fromEntries([...times].map(([kind, list]) => [kind, latencyOf(list)]))
  return { wanted, done, seconds, kinds, all, requests, refused, failed }
}
