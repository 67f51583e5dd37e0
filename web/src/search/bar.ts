import type { Nft } from '../thread/history.ts'
import { createStore } from '../state/store.ts'

/** The bar that searches the open conversation or chat is shown. */
export const isBarOpen = createStore(false)

/** The reader chooses a day to go to: this one is chosen at first, as a time of it. */
export const askedDay = createStore<string | undefined>(undefined)

export const askForDay = (timestamp = new Date().toISOString()): void => askedDay.set(timestamp)

/** The conversation or chat that is searched. */
export type ThreadPlace =
  | { peer: string; nft: Nft | undefined }
  | { chat: string; path: string; isJoined: boolean }
