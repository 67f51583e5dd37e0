import { createStore, useStore } from '../../state/store.ts'

const shown = createStore<string | undefined>(undefined)

/** Shows the safety number with a wallet over the page. */
export const showNumber = (peer: string): void => shown.set(peer)
export const hideNumber = (): void => shown.set(undefined)

/** Returns the wallet whose safety number is shown, if any. */
export const useShownNumber = (): string | undefined => useStore(shown)
