// A new version of the client while a page of the one before is open. The worker keeps the files of both
// (worker.ts). Where there is no worker, a part that is loaded late may be gone.

import { onTold } from '../service/worker.ts'
import { createStore, useStore } from '../ui/store.ts'

const outdated = createStore(false)

/** Whether a new version is here. */
export const useOutdated = (): boolean => useStore(outdated)

const entry = 'parley.reloaded'
/** Milliseconds. A page that cannot be loaded is not loaded again and again. */
const pause = 60_000
/** Milliseconds in which a page that is being left ends what it loads. */
const leaving = 5_000

export function followUpdates(): void {
  onTold('outdated', () => outdated.set(true))
  let leftAt = -Infinity
  addEventListener('beforeunload', () => (leftAt = performance.now()))
  // A part of this build is gone. Nothing that was written is lost by loading the page anew.
  addEventListener('vite:preloadError', () => {
    const before = Number(sessionStorage.getItem(entry) ?? 0)
    if (performance.now() - leftAt < leaving) return
    if (!navigator.onLine || Date.now() - before < pause) return
    sessionStorage.setItem(entry, String(Date.now()))
    location.reload()
  })
}
