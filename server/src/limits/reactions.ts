// A wallet reacts to one message five times at once, and then once a second.

import type { Config } from '../config/settings.ts'
import { charge, createMeter, type Meter } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

export interface ReactionLimit {
  /** Counts a reaction of a wallet to a message, or throws 429. */
  take: (wallet: string, id: number) => void
  /** These are its token buckets, which all instances share. */
  meters: Meter[]
}

const rate = { burst: 5, perSecond: 1 }

export function openReactionLimit({ rateLimits }: Pick<Config, 'rateLimits'>): ReactionLimit {
  if (!rateLimits) return { take: () => {}, meters: [] }
  const ofMessage = createMeter('reaction', rate)
  return {
    meters: [ofMessage],
    take(wallet, id) {
      const { wait } = charge([[ofMessage, `${wallet} ${id}`]])
      if (wait > 0)
        throw tooMany(
          ofMessage.name,
          `A wallet reacts to one message ${rate.burst} times at once and ${rate.perSecond} time a second.`,
          wait,
        )
    },
  }
}
