import { createStore } from '../state/store.ts'

/** When the service sent the inbox that is shown; undefined when it has responded since the page was loaded. */
export const readAt = createStore<number | undefined>(undefined)
