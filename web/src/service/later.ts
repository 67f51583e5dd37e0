// What a page shows first is read first. What can wait is read some seconds after the inbox, or when something is opened
// that needs it.

import { createStore, useStore } from '../state/store.ts'
import { onAccountChange } from './session.ts'

/** These are milliseconds between the inbox and what can wait. */
const patience = 3000

const isLater = createStore(false)
onAccountChange(() => isLater.set(false))

/** Returns true when what can wait is read. */
export const useLater = (): boolean => useStore(isLater)

/** Lets what can wait be read now. */
export function hasten(): void {
  if (!isLater.get()) isLater.set(true)
}

/** The inbox is there. Returns a function that stops the time. */
export function startLater(): () => void {
  const timer = setTimeout(hasten, patience)
  return () => clearTimeout(timer)
}

/** Resolves when what can wait is read. */
export const later = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!isLater.get()) return
      stop()
      resolve()
    }
    const stop = isLater.subscribe(look)
    look()
  })

/** Loads a part when what can wait is read. Without a connection it loads when it is opened. */
export const loadAhead = (load: () => unknown): void =>
  void later()
    .then(load)
    .catch(() => {})
