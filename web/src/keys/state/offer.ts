// The inbox offers a user who has signed in to turn encryption on, or to unlock it in this browser.

import { type Account, currentAccount, useAccount } from '../../service/session.ts'
import { createStore, useStore } from '../../state/store.ts'
import { isSwitchedOff, useKeyring } from './keyring.ts'

export type Offer = 'set-up' | 'unlock'

const entryOf = (address: string | undefined) => `parley.encryption-offer.${address}`
/** Counts the refusals here. */
const refusals = createStore(0)

/** Remembers in this browser that somebody refuses the offer. */
export function refuseOffer(offer: Offer): void {
  localStorage.setItem(entryOf(currentAccount()?.address), offer)
  refusals.set(refusals.get() + 1)
}

const seenOf = (offer: Offer) => `parley.encryption-offer-seen.${offer}.${currentAccount()?.address}`

/**
 * Returns true when the offer is shown with its explanation: while the tab in which it is first seen is open. Later it
 * is a row, so that it does not stand before the conversations for weeks.
 */
export function isNewOffer(offer: Offer): boolean {
  const entry = seenOf(offer)
  const isNew = localStorage.getItem(entry) === null || sessionStorage.getItem(entry) !== null
  if (isNew) {
    localStorage.setItem(entry, 'yes')
    sessionStorage.setItem(entry, 'yes')
  }
  return isNew
}

/**
 * Returns true when the wallet can prove a key here: not one that is in another browser. A smart wallet that signed in here before its
 * chain was stored signs in again first.
 */
const mayProve = (account: Account | null) =>
  account?.kind !== 'handed-over' && (!account?.isContract || account.chainId !== undefined)

/** Returns the offer to show, if any. */
export function useOffer(): Offer | undefined {
  const ring = useKeyring()
  const account = useAccount()
  useStore(refusals)
  const offer =
    ring.state === 'off' && !ring.isAssumed && !isSwitchedOff() && mayProve(account)
      ? 'set-up'
      : // A throw-away key unlocks by itself.
        ring.state === 'locked' && ring.on && ring.pairs.length === 0 && account?.kind !== 'throw-away'
        ? 'unlock'
        : undefined
  return offer && localStorage.getItem(entryOf(account?.address)) !== offer ? offer : undefined
}
