// How often a hook may post, and how many wrong secrets of hooks a network address may try (of IPv6 its /48). The buckets are
// shared by all instances (exchange.ts).

import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { networkOf, placeOnNet } from './network.ts'
import { bucketOf, createMeter, type Meter, take } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

export interface HookLimits {
  /** Counts a secret that may be wrong, or throws 429. Call the answer when it was right. */
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
      const who = placeOnNet(networkOf(request))
      const bucket = bucketOf(ofNetwork, who, performance.now())
      if (bucket.tokens < 1)
        throw tooMany(
          ofNetwork.name,
          'Your network address has tried too many addresses of hooks that do not exist. Try again in some seconds.',
          Math.ceil((1 - bucket.tokens) / tries.perSecond),
        )
      take(ofNetwork, who, bucket)
      return () => take(ofNetwork, who, bucket, -1)
    },
    takePost(hook) {
      const bucket = bucketOf(ofHook, hook, performance.now())
      if (bucket.tokens < 1)
        throw tooMany(
          ofHook.name,
          `A hook posts ${posts.burst} times at once and ${posts.perSecond} time a second.`,
          Math.ceil((1 - bucket.tokens) / posts.perSecond),
        )
      take(ofHook, hook, bucket)
    },
  }
}
