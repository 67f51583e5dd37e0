// Limits how many names of wallets the chains are asked for: by the wallet that wants to see them, by its network address (of
// IPv6 its /48), and by the service as a whole, so that no crowd can use up what the operator's node allows. All instances share
// the buckets (exchange.ts). Beyond a limit nothing is refused: such names stay unknown.

import type { Config } from '../config/settings.ts'
import { placeOf, type Who } from './concurrency.ts'
import { charge, createMeter, type Meter } from './token-buckets.ts'

export interface ChainNameLimits {
  /** Counts the names of up to this many wallets. Returns how many of them may be asked for. */
  take: (who: Who | null, most: number) => number
  meters: Meter[]
}

export function openChainNameLimits({
  rateLimits,
  chainNamesLimit: ofOne,
  chainNamesOfAll,
  ipLimitFactor,
}: Pick<Config, 'rateLimits' | 'chainNamesLimit' | 'chainNamesOfAll' | 'ipLimitFactor'>): ChainNameLimits {
  if (!rateLimits) return { take: (_who, most) => most, meters: [] }
  const ofWallet = createMeter('chain-names', ofOne)
  const ofNetwork = createMeter('chain-names-network', {
    burst: ofOne.burst * ipLimitFactor,
    perSecond: ofOne.perSecond * ipLimitFactor,
  })
  const ofService = createMeter('chain-names-service', chainNamesOfAll)
  return {
    meters: [ofWallet, ofNetwork, ofService],
    take(who, most) {
      if (!who) return most
      const mayAsk = () =>
        charge([
          [ofWallet, who.caller],
          [ofNetwork, placeOf(who)],
          [ofService, 'all'],
        ]).wait === 0
      let taken = 0
      while (taken < most && mayAsk()) taken++
      return taken
    },
  }
}
