import { useSyncExternalStore } from 'react'

let now = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, 30_000)

/** The time, moved on twice a minute, for what says how long ago something was. */
export const useMinute = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => now,
  )
