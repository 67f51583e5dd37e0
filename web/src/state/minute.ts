import { createStore, useStore } from './store.ts'

const now = createStore(Date.now())
setInterval(() => now.set(Date.now()), 30_000)

/** Returns the time in milliseconds since 1970, updated every 30 seconds, for texts such as "5 min". */
export const useMinute = (): number => useStore(now)
