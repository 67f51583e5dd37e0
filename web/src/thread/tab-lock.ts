// One tab at a time sends the entries of a thread. It holds a lock of the browser, which frees it when the tab is
// closed or breaks. A browser may stop a tab in the background while it holds the lock, so the tab that is used takes
// the lock over. It sends again what the other one had begun, under the same Idempotency-Key.

interface Turn {
  stop: AbortController
  begun: boolean
}

const turns = new Map<string, Turn>()

/**
 * Does `work` under the lock of this name: now when `takeOver` says so, else after the tabs that requested it before.
 * The signal of `work` is aborted when another tab takes over, and by `stopAll`. Returns false, at once, when this tab
 * is doing that work or waits to do it.
 */
export async function inTurn(
  name: string,
  takeOver: boolean,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const before = turns.get(name)
  if (before && (before.begun || !takeOver)) return false
  before?.stop.abort()
  const turn: Turn = { stop: new AbortController(), begun: false }
  turns.set(name, turn)
  const { signal } = turn.stop
  const begin = () => {
    turn.begun = true
    return work(signal)
  }
  try {
    // Pages without HTTPS have no locks. There each tab sends, and the keys prevent duplicates.
    const { locks } = navigator as { locks?: LockManager }
    await (locks ? locks.request(name, takeOver ? { steal: true } : { signal }, begin) : begin())
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
    turn.stop.abort()
  } finally {
    if (turns.get(name) === turn) turns.delete(name)
  }
  return true
}

/** Ends all work and waiting. */
export function stopAll(): void {
  for (const { stop } of turns.values()) stop.abort()
  turns.clear()
}
