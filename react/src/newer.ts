import { ApiError } from '@parley/sdk'
import type { Run } from './shared.ts'
import { type Item, type startThread, type ThreadState, withItems } from './thread.ts'

/** New items are read after this number of milliseconds while the page is visible. */
const every = 20_000
const pageSize = 100

/** Reads the new items of a thread again and again, where no event brings them. */
export function readNewer<Of extends Item>(
  { get, set, signal, fail }: Run<ThreadState<Of>>,
  thread: ReturnType<typeof startThread<Of>>,
): void {
  const read = async () => {
    const { status, items } = get()
    if (document.visibilityState !== 'visible' || status !== 'ready') return
    try {
      const after = items.at(-1)?.id
      const query = { limit: pageSize, ...(after ? { after } : { before: Number.MAX_SAFE_INTEGER }) }
      const added = await thread.list(query, { signal })
      if (added.length > 0) thread.change(withItems(added))
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) return
      // Where the service refuses it, it refuses the next one too.
      clearInterval(timer)
      set({ error: fail(error) })
    }
  }
  const timer = setInterval(() => void read(), every)
  signal.addEventListener('abort', () => clearInterval(timer))
}
