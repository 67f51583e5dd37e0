// Clients that write as clients should: each write carries an Idempotency-Key and is sent again, with the same key, until
// the service has answered it. The ledger records each write before its request and after its answer.

import { ApiError, type Client } from '@parley/sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../check/checker.ts'
import type { Entry, Ledger } from '../check/ledger.ts'
import type { Random } from '../random.ts'
import { nameOf, post, refusalOf, textOf } from './requests.ts'
import type { Wallets } from '../wallets.ts'

export interface WritersOptions {
  wallets: Wallets
  ledger: Ledger
  random: Random
  /** The service's addresses; each attempt uses one of them. */
  urls: () => string[]
  report: (violation: Violation) => void
  /** The beginning of every key. */
  prefix: string
  /** Characters added to each message. */
  padding: number
  /** Messages a second, at most. */
  rate: number
  writers: number
}

export interface Writers {
  /** When each acknowledged attempt began, and how many milliseconds it took. */
  attempts: { began: number; took: number }[]
  /** How often each failure happened: `ECONNREFUSED`, `503` … */
  failures: Map<string, number>
  marked: number
  /** Settles when the first attempt that began after `since` has been acknowledged. */
  answeredAfter(since: number, deadline: number): Promise<number | undefined>
  /** Finishes writes that have begun; gives up those not acknowledged within `patience` milliseconds. */
  stop(patience?: number): Promise<void>
}

/** Longer than the service may take to answer 503. */
const attemptTimeout = 5_000

/** Starts writers, which run until they are stopped. */
export function startWriters({
  wallets,
  ledger,
  random,
  urls,
  report,
  prefix,
  padding,
  rate,
  writers,
}: WritersOptions): Writers {
  const attempts: Writers['attempts'] = []
  const failures = new Map<string, number>()
  const waiting = new Set<{ since: number; resolve: (at: number) => void }>()
  const stop = new AbortController()
  let deadline = Infinity
  let due = performance.now()
  let marked = 0

  async function write(number: number): Promise<void> {
    const own = random.fork(`writer ${number}`)
    for (let n = 0; !stop.signal.aborted; n++) {
      // Messages that were due during an outage are not sent later.
      due = Math.max(due + 1000 / rate, performance.now() - 100)
      await sleep(Math.max(0, due - performance.now()))
      const entry = await sendOne(own, `${prefix}-${number}-${n}`)
      if (entry && own.int(10) === 0) await markOne(own, entry)
      // As a client does that has not received the answer.
      if (entry && own.int(20) === 0) await sendAgain(own, entry)
    }
  }

  async function sendOne(own: Random, key: string): Promise<Entry | undefined> {
    const room = own.pick(wallets.rooms)
    const from = own.pick('pair' in room ? room.pair : wallets.addresses)
    ledger.write({ do: 'send', key, room: room.name, from, at: Date.now() })
    const text = textOf(key, own, padding)
    const sent = await persist(own, from, (client, call) => post(client, room, from, text, key, call))
    if (!sent) return undefined
    ledger.write({ do: 'sent', key, id: sent.id, timestamp: sent.timestamp, at: Date.now() })
    texts.set(key, text)
    return ledger.history.get(key)
  }

  const texts = new Map<string, string>()

  async function sendAgain(own: Random, { key, room: name, from, acknowledged }: Entry): Promise<void> {
    const room = wallets.rooms.find((candidate) => candidate.name === name)!
    const text = texts.get(key)!
    const again = await persist(own, from, (client, call) => post(client, room, from, text, key, call))
    if (again && again.id !== acknowledged!.id)
      report({
        kind: 'duplicated',
        detail: `${key} was answered as ${acknowledged!.id}, then as ${again.id}`,
      })
  }

  async function markOne(own: Random, { key, room: name, from, acknowledged }: Entry): Promise<void> {
    const [a, b] = name.split(' ')
    if (b === undefined || a === b) return
    const recipient = from === a ? b : a!
    const path = { fromaddr: from, toaddr: recipient }
    ledger.write({ do: 'mark', key })
    const body = { ...path, id: acknowledged!.id, message: '', read: true }
    if (await persist(own, recipient, (client, call) => client.markDirectMessage({ ...path, body }, call))) {
      ledger.write({ do: 'marked', key })
      marked++
    }
  }

  /** Tries until there is an answer; undefined when it gave up or was refused. */
  async function persist<T>(
    own: Random,
    address: string,
    act: (client: Client, call: { signal: AbortSignal }) => Promise<T>,
  ): Promise<T | undefined> {
    for (let attempt = 0; performance.now() < deadline; attempt++) {
      const began = performance.now()
      try {
        const client = wallets.client(address, own.pick(urls()))
        const answer = await act(client, { signal: AbortSignal.timeout(attemptTimeout) })
        answered(began)
        return answer
      } catch (error) {
        const name = nameOf(error)
        failures.set(name, (failures.get(name) ?? 0) + 1)
        const refusal = refusalOf(error)
        if (refusal) report({ kind: 'refused', detail: refusal })
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) return undefined
        await sleep(own.between(10, Math.min(200, 20 * 2 ** attempt)))
      }
    }
    return undefined
  }

  function answered(began: number): void {
    const now = performance.now()
    attempts.push({ began, took: now - began })
    for (const waiter of waiting) {
      if (began < waiter.since) continue
      waiting.delete(waiter)
      waiter.resolve(now)
    }
  }

  const running = Promise.all(Array.from({ length: writers }, (_, i) => write(i)))
  running.catch(() => {})
  return {
    attempts,
    failures,
    get marked() {
      return marked
    },
    async answeredAfter(since, within) {
      const { promise, resolve } = Promise.withResolvers<number>()
      waiting.add({ since, resolve })
      const soon = new AbortController()
      const late = sleep(within, undefined, { signal: soon.signal }).catch(() => undefined)
      const at = await Promise.race([promise, late])
      soon.abort()
      return at
    },
    async stop(patience = 30_000) {
      stop.abort()
      deadline = performance.now() + patience
      await running
    },
  }
}
