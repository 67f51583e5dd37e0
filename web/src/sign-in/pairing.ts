import { createStore } from '../state/store.ts'

/** This is the search for a wallet on another device. */
export interface Pairing {
  /** That wallet reads it as a QR code; it is undefined until the relay has responded. */
  uri?: string
  giveUp: () => void
}

export const pairing = createStore<Pairing | null>(null)
