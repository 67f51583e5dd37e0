// A wallet reacts to one message five times at once, and then once a second. A bot replaces a text that it makes once a second.

import type { Config } from '../config/settings.ts'
import { charge, createMeter, type Meter } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

export interface MessageChangeLimits {
  /** Counts a reaction of a wallet to a message, or throws 429. */
  takeReaction: (wallet: string, id: number) => void
  /** Counts a text that a bot puts in the place of another one, or throws 429. */
  takeWriting: (wallet: string, id: number) => void
  /** These are their token buckets, which all instances share. */
  meters: Meter[]
}

const reactions = { burst: 5, perSecond: 1 }
const writing = { burst: 2, perSecond: 1 }

export function openMessageChangeLimits({ rateLimits }: Pick<Config, 'rateLimits'>): MessageChangeLimits {
  if (!rateLimits) return { takeReaction: () => {}, takeWriting: () => {}, meters: [] }
  const taking = (name: string, rate: typeof reactions, what: string) => {
    const meter = createMeter(name, rate)
    const take = (wallet: string, id: number) => {
      const { wait } = charge([[meter, `${wallet} ${id}`]])
      if (wait > 0)
        throw tooMany(name, `${what} ${rate.burst} times at once and ${rate.perSecond} time a second.`, wait)
    }
    return { meter, take }
  }
  const ofReactions = taking('reaction', reactions, 'A wallet reacts to one message')
  const ofWriting = taking('writing', writing, 'A bot replaces one message')
  return {
    takeReaction: ofReactions.take,
    takeWriting: ofWriting.take,
    meters: [ofReactions.meter, ofWriting.meter],
  }
}
