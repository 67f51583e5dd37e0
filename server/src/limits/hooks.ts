// Limits how often a hook may post, and how many wrong secrets of hooks a network address (for IPv6 its /48) may try. All
// instances share the buckets (exchange.ts).

import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { networkOf, placeOnNet } from './network.ts'
import { charge, createMeter, type Meter, refund } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

export interface HookLimits {
  /** Counts a secret that may be wrong, or throws 429. Call the returned function when it was right. */
  takeTry: (request: FastifyRequest) => () => void
  /** Counts a post by a hook, or throws 429. */
  takePost: (hook: string) => void
  meters: Meter[]
}

const posts = { burst: 5, perSecond: 1 }
const tries = { burst: 30, perSecond: 0.5 }

export function openHookLimits({ rateLimits }: Pick<Config, 'rateLimits'>): HookLimits {
  if (!rateLimits) return { takeTry: () => () => {}, takePost: () => {}, meters: [] }
  const ofHook = createMeter('hook', posts)
  const ofNetwork = createMeter('hook-secrets-network', tries)
  return {
    meters: [ofHook, ofNetwork],
    takeTry(request) {
      const from = [[ofNetwork, placeOnNet(networkOf(request))]] as const
      const { wait } = charge(from)
      if (wait > 0)
        throw tooMany(
          ofNetwork.name,
          'Your network address has tried too many addresses of hooks that do not exist. Try again in some seconds.',
          wait,
        )
      return () => refund(from)
    },
    takePost(hook) {
      const { wait } = charge([[ofHook, hook]])
      if (wait > 0)
        throw tooMany(
          ofHook.name,
          `A hook posts ${posts.burst} times at once and ${posts.perSecond} time a second.`,
          wait,
        )
    },
  }
}
