import { createStore, useStore } from '../ui/store.ts'

const shown = createStore<string | undefined>(undefined)

/** Shows the card of a wallet over the page. */
export const showProfile = (address: string): void => shown.set(address)
export const hideProfile = (): void => shown.set(undefined)

/** The wallet whose card is shown, if any. */
export const useShownProfile = (): string | undefined => useStore(shown)
