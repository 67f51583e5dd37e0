import { createStore, useStore } from '../state/store.ts'

const starting = createStore(false)

/** Returns true while the dialog that starts a conversation is open. */
export const useStarting = (): boolean => useStore(starting)

/** Opens the dialog that starts a conversation, or closes it. */
export const setStarting = (open: boolean): void => starting.set(open)
