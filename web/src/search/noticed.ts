// Changes of messages that events bring, for the search on this device, which loads later.

import type { Change } from './source.ts'

let listener: ((change: Change) => void) | undefined

/** Calls back with each change from now on. Of what came before, the search reads the present state. */
export const onNoticed = (callback: (change: Change) => void): void => void (listener = callback)

export const notice = (change: Change): void => listener?.(change)
