// These requests are retried until they have a response of the service.

import { ApiError, type Client } from '@parley/sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../check/checker.ts'
import type { Ledger } from '../check/ledger.ts'
import type { Random } from '../random.ts'
import { nameOf, refusalOf } from './requests.ts'
import type { Wallets } from '../wallets.ts'

/** This timeout in milliseconds is longer than the service may need for a 503. */
const attemptTimeout = 5_000

interface AttemptsOptions {
  wallets: Wallets
  /** Returns the service's addresses; each attempt uses one of them. */
  urls: () => string[]
  report: (violation: Violation) => void
  /** When it is aborted, there are no further attempts, and the clients end at once. */
  ended: AbortSignal
}

/** These are the options of all clients that write. */
export interface ClientsOptions extends AttemptsOptions {
  ledger: Ledger
  random: Random
  /** The beginning of every key. */
  prefix: string
}

export type Act<T> = (client: Client, call: { signal: AbortSignal }) => Promise<T>

export function openAttempts({ wallets, urls, report, ended }: AttemptsOptions) {
  /** The start of each acknowledged attempt, and its milliseconds. */
  const attempts: { began: number; took: number }[] = []
  /** The number of failures of each kind: `ECONNREFUSED`, `503` … */
  const failures = new Map<string, number>()
  const waiting = new Set<{ since: number; resolve: (at: number) => void }>()
  let deadline = Infinity

  function answered(began: number): void {
    const now = performance.now()
    attempts.push({ began, took: now - began })
    for (const waiter of waiting) {
      if (began < waiter.since) continue
      waiting.delete(waiter)
      waiter.resolve(now)
    }
  }

  return {
    attempts,
    failures,

    /** Retries until there is a response; returns undefined when it gave up or was refused. */
    async persist<T>(own: Random, address: string, act: Act<T>): Promise<T | undefined> {
      for (let attempt = 0; performance.now() < deadline && !ended.aborted; attempt++) {
        const began = performance.now()
        try {
          const client = wallets.client(address, own.pick(urls()))
          const signal = AbortSignal.any([ended, AbortSignal.timeout(attemptTimeout)])
          const answer = await act(client, { signal })
          answered(began)
          return answer
        } catch (error) {
          if (ended.aborted) return undefined
          const name = nameOf(error)
          failures.set(name, (failures.get(name) ?? 0) + 1)
          const refusal = refusalOf(error)
          if (refusal) report({ kind: 'refused', detail: refusal })
          if (error instanceof ApiError && error.status < 500 && error.status !== 429) return undefined
          await sleep(own.between(10, Math.min(200, 20 * 2 ** attempt)))
        }
      }
      return undefined
    },

    /** Settles when the first attempt that began after `since` is acknowledged; undefined after `within` ms. */
    async answeredAfter(since: number, within: number): Promise<number | undefined> {
      const { promise, resolve } = Promise.withResolvers<number>()
      waiting.add({ since, resolve })
      const soon = new AbortController()
      const late = sleep(within, undefined, { signal: soon.signal }).catch(() => undefined)
      const at = await Promise.race([promise, late])
      soon.abort()
      return at
    },

    /** Gives up what has no response within some milliseconds. */
    giveUpAfter(milliseconds: number): void {
      deadline = performance.now() + milliseconds
    },
  }
}
