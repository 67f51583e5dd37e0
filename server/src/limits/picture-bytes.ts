// Limits the bytes of pictures that a wallet writes, and all wallets of a network address (of IPv6 its /48) together. A picture
// that replaces another one is in the store with it for a minute. All instances share the buckets (exchange.ts).

import type { Config } from '../config/settings.ts'
import { placeOf, type Who } from './concurrency.ts'
import { type Charge, charge, createMeter, type Meter, refund } from './token-buckets.ts'
import { tooMany } from './too-many.ts'

export interface PictureLimits {
  /** Counts a picture of some characters, or throws 429. Call the returned function when it was not stored. */
  take: (who: Who | null, characters: number) => () => void
  meters: Meter[]
}

export function openPictureLimits({
  rateLimits,
  pictureBytes,
  pictureBytesOfAddress,
}: Pick<Config, 'rateLimits' | 'pictureBytes' | 'pictureBytesOfAddress'>): PictureLimits {
  if (!rateLimits) return { take: () => () => {}, meters: [] }
  const ofWallet = createMeter('picture-bytes', pictureBytes)
  const ofNetwork = createMeter('picture-bytes-network', pictureBytesOfAddress)
  return {
    meters: [ofWallet, ofNetwork],
    take(who, characters) {
      if (!who) return () => {}
      const size = Math.ceil(characters / 1024)
      // A full bucket is enough for any picture.
      const costIn = ({ rate }: Meter) => Math.min(size, rate.burst)
      const from: Charge[] = [
        [ofWallet, who.caller, costIn(ofWallet)],
        [ofNetwork, placeOf(who), costIn(ofNetwork)],
      ]
      const { meter, wait } = charge(from)
      if (wait > 0) throw refusal(meter, wait)
      return () => refund(from)
    },
  }
}

const inWords = (kibibytes: number) =>
  kibibytes % 1024 === 0 ? `${kibibytes / 1024} MiB` : `${kibibytes} KiB`

function refusal({ name, rate: { burst, perSecond } }: Meter, wait: number) {
  const owner = name.endsWith('-network') ? 'All wallets of your network address together' : 'Your wallet'
  return tooMany(
    name,
    `${owner} may store ${inWords(burst)} of pictures at once and ${inWords(perSecond)} a second, as they are sent. Send a smaller picture, or try again in ${wait} s.`,
    wait,
  )
}
