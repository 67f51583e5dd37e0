import { createStore, useStore } from '../state/store.ts'

interface Shown {
  address: string
  /** When true, the seal replaces the picture that the wallet has chosen. */
  sealOnly: boolean
}

const shown = createStore<Shown | undefined>(undefined)

/** Shows the card of a wallet over the page. */
export const showProfile = (address: string, sealOnly = false): void => shown.set({ address, sealOnly })
export const hideProfile = (): void => shown.set(undefined)

/** Returns the wallet whose card is shown, if any. */
export const useShownProfile = (): Shown | undefined => useStore(shown)
