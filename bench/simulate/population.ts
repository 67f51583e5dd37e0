// The population says who writes how much, and to whom. A few wallets do most: the actions of a wallet in a day follow a Pareto
// law between a least and a most. A sample of it stands for a population of any size, since the law does not depend on the size:
// the n-th wallet of the sample has the activity of its quantile.

import { createHash } from 'node:crypto'
import { drawerOf, randomOf } from './random.ts'

export interface Law {
  /** The exponent of the Pareto law: the lower, the more is done by the few. */
  alpha: number
  /** The activity of the most active wallet as a multiple of the least active one's. */
  spread: number
  /** The mean number of other wallets with which a wallet has a conversation. */
  acquaintances: number
  /** The number of wallets that stand for the population. */
  sample: number
  seed: number
}

export interface Population {
  addresses: string[]
  /** The activity of each wallet, as a multiple of the mean. */
  activity: Float64Array
  /** The acquaintances of each wallet, by their places; never itself. The nearest is the first. */
  peers: number[][]
}

/**
 * Returns the activity of the wallet at a quantile of the law, in units of the least: the inverse of the bounded Pareto
 * distribution.
 */
const activityAt = (quantile: number, { alpha, spread }: Pick<Law, 'alpha' | 'spread'>): number =>
  (1 - quantile * (1 - spread ** -alpha)) ** (-1 / alpha)

/** Makes the sample; the same for the same law. */
export function populationOf(law: Law): Population {
  const { sample, seed } = law
  const random = randomOf(seed)
  const least = Float64Array.from({ length: sample }, (_, n) => activityAt((n + 0.5) / sample, law))
  const mean = least.reduce((sum, one) => sum + one, 0) / sample
  const activity = least.map((one) => one / mean)
  const addresses = Array.from({ length: sample }, (_, n) => addressOf(`simulated ${seed} ${n}`))
  return { addresses, activity, peers: makePeers(activity, law, random) }
}

/**
 * Makes the acquaintances. Each wallet begins half as many conversations as it will have; others begin the rest with it. Both
 * grow with the root of its activity: a wallet that writes a hundred times as much knows ten times as many.
 */
function makePeers(activity: Float64Array, { acquaintances, sample }: Law, random: () => number): number[][] {
  const roots = activity.map(Math.sqrt)
  const mean = roots.reduce((sum, root) => sum + root, 0) / sample
  const draw = drawerOf(roots, random)
  const known = Array.from({ length: sample }, () => new Set<number>())
  for (const [n, root] of roots.entries()) {
    const wanted = Math.max(1, Math.round((acquaintances / 2) * (root / mean)))
    for (let i = 0; i < wanted; i++) {
      const peer = draw()
      if (peer === n) continue
      known[n]!.add(peer)
      known[peer]!.add(n)
    }
    // Everybody knows somebody.
    if (known[n]!.size === 0) {
      const peer = (n + 1) % sample
      known[n]!.add(peer)
      known[peer]!.add(n)
    }
  }
  return known.map((peers) => Array.from(peers))
}

/** Returns the part of all activity that the most active `share` of wallets do, from 0 to 1. */
export function shareOf({ activity }: Population, share: number): number {
  const most = activity.toSorted().toReversed()
  const sum = (list: Float64Array) => list.reduce((total, one) => total + one, 0)
  return sum(most.slice(0, Math.round(most.length * share))) / sum(most)
}

const addressOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
