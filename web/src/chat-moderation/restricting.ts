import { createStore, useStore } from '../ui/store.ts'

/** A wallet that is to be muted in a chat, or banned from it. */
export interface Restrictable {
  nftaddr: string
  wallet: string
  /** What the reader knows it by. */
  title: string
  how: 'mute' | 'ban'
}

const asked = createStore<Restrictable | undefined>(undefined)

/** Asks for how long a wallet is kept from posting or reading, and why. */
export const askToRestrict = (what: Restrictable): void => asked.set(what)
export const endRestricting = (): void => asked.set(undefined)
export const useRestricting = (): Restrictable | undefined => useStore(asked)
