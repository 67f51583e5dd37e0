// The event stream opens before anything is read: a read that is made after that misses no change, so nothing is read
// twice when a page loads. Reads that were held are let go when the stream opens, when it fails, or when it takes long.

import type { Query } from '@tanstack/react-query'

interface Hold extends PromiseWithResolvers<void> {
  wallet: string
}

let held: Hold | undefined
const waiting = new Set<Query>()

/** Holds the reads of a wallet until `releaseReads`. It is called before the first of them. */
export function holdReads(wallet: string): void {
  if (held?.wallet === wallet) return
  held?.resolve()
  held = { wallet, ...Promise.withResolvers<void>() }
}

export function releaseReads(wallet: string): void {
  if (held?.wallet !== wallet) return
  held.resolve()
  held = undefined
}

/** Resolves when a query may be read. */
export async function untilReleased(query: Query): Promise<void> {
  if (!held) return
  waiting.add(query)
  await held.promise
  waiting.delete(query)
}

/** Returns true when a query was read, has failed or is being read: the read is not held, nor yet to come. */
export const hasBegun = (query: Query): boolean =>
  !waiting.has(query) && (query.state.status !== 'pending' || query.state.fetchStatus !== 'idle')
