// A page of the previous version may be open when a new version of the client is here. The worker stores the files of
// both (worker.ts). Without a worker, a part that is loaded late may be gone.

import { onWorkerMessage } from '../service/worker.ts'
import { createStore, useStore } from '../state/store.ts'

const outdated = createStore(false)

/** Returns true when a new version is here. */
export const useOutdated = (): boolean => useStore(outdated)

const entry = 'parley.reloaded'
/**
 * These milliseconds pass before the next attempt, so that a page that cannot be loaded is not loaded again and again.
 */
const pause = 60_000
/** A page that is being left gets these milliseconds to end what it loads. */
const leaving = 5_000

export function followUpdates(): void {
  onWorkerMessage('outdated', () => outdated.set(true))
  let leftAt = -Infinity
  addEventListener('beforeunload', () => (leftAt = performance.now()))
  // A part of this build is gone. Reloading the page loses nothing that was written.
  addEventListener('vite:preloadError', () => {
    const before = Number(sessionStorage.getItem(entry) ?? 0)
    if (performance.now() - leftAt < leaving) return
    if (!navigator.onLine || Date.now() - before < pause) return
    sessionStorage.setItem(entry, String(Date.now()))
    location.reload()
  })
}
