// What the inbox offers to who has signed in: to turn encryption on, or to unlock it in this browser.

import { currentAccount, useAccount } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'
import { isSwitchedOff, useKeyring } from './keyring.ts'

export type Offer = 'set-up' | 'unlock'

const entryOf = (address: string | undefined) => `parley.encryption-offer.${address}`
/** Counts what was refused here. */
const refusals = createStore(0)

/** Keeps in this browser that somebody does not want what was offered. */
export function refuseOffer(offer: Offer): void {
  localStorage.setItem(entryOf(currentAccount()?.address), offer)
  refusals.set(refusals.get() + 1)
}

/** What is to be offered, if anything. */
export function useOffer(): Offer | undefined {
  const ring = useKeyring()
  const account = useAccount()
  useStore(refusals)
  const offer =
    ring.state === 'off' && !ring.isAssumed && !isSwitchedOff() && !account?.isContract
      ? 'set-up'
      : // A throw-away key unlocks by itself.
        ring.state === 'locked' && ring.on && ring.pairs.length === 0 && account?.kind === 'wallet'
        ? 'unlock'
        : undefined
  return offer && localStorage.getItem(entryOf(account?.address)) !== offer ? offer : undefined
}
