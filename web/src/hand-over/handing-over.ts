import { createStore, useStore } from '../state/store.ts'

const isShown = createStore(false)

/** Opens the dialog that signs another browser in. What has offered it may go meanwhile. */
export const showHandOver = (): void => isShown.set(true)
export const endHandOver = (): void => isShown.set(false)
export const useHandOverShown = (): boolean => useStore(isShown)
