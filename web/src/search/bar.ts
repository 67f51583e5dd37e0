import { createStore } from '../state/store.ts'

/** The bar that searches the open conversation or chat is shown. */
export const isBarOpen = createStore(false)
