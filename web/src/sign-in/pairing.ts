import { createStore } from '../ui/store.ts'

/** A wallet on another device that is being looked for. */
export interface Pairing {
  /** What that wallet reads, as a QR code; undefined until the relay has answered. */
  uri?: string
  giveUp: () => void
}

export const pairing = createStore<Pairing | null>(null)
