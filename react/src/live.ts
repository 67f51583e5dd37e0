import { readEvents } from '@parley/sdk'
import { failed } from './entries.ts'
import type { Live, Parley } from './shared.ts'

/** What is shown is read at the latest after this number of milliseconds: some proxies pass a stream on late. */
const longestHold = 2000

/** Opens the one stream of the session, or returns the one that is open. Several entries share it. */
export function follow(parley: Parley): Live {
  const active = parley.active!
  if (active.live) return active.live
  const stop = new AbortController()
  let resolve = () => {}
  const live: Live = {
    ready: new Promise((settle) => {
      resolve = settle
    }),
    stop: () => {
      stop.abort()
      resolve()
    },
  }
  active.live = live
  const followed = () =>
    [...parley.entries.values()].flatMap(({ run, resource, state }) =>
      run && resource.follow ? [{ run, state }] : [],
    )
  // What is read before the stream has opened may lack what happens until then. A stream that resumes lacks nothing.
  let isLate = false
  let resumes = false
  const isNoUse = () => {
    isLate = !resumes
    resolve()
  }
  const timer = setTimeout(isNoUse, longestHold)
  const onOpen = () => {
    clearTimeout(timer)
    resolve()
    for (const { run, state } of followed()) if (isLate || state.error?.code === 'offline') void run.refresh()
    isLate = false
  }
  void (async () => {
    try {
      const { signal } = stop
      for await (const event of readEvents(active.options, {
        signal,
        onOpen,
        onReconnect: isNoUse,
        onPosition: () => {
          resumes = true
        },
      }))
        for (const { run } of followed()) {
          if (event.type === 'resync') void run.refresh()
          else run.on?.(event)
        }
    } catch (error) {
      if (stop.signal.aborted) return
      // Without events the hooks show what was read, and why nothing comes.
      live.refused = failed(parley, active, error)
      for (const { run } of followed()) run.set({ error: live.refused })
      isNoUse()
    } finally {
      clearTimeout(timer)
    }
  })()
  return live
}
