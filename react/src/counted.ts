// What the service counts and sorts is read again after an event that may change it.

import type { ServiceEvent } from '@parley/sdk'
import type { Run, Shown } from './shared.ts'

/** The milliseconds between two reads: many events may come at once. */
const pause = 1000
/** The milliseconds from an event to the read. */
const delay = 50

const withoutEffect: ReadonlySet<ServiceEvent['type']> = new Set([
  'typing',
  'reacted',
  'reacted-mine',
  'pinned',
  'unpinned',
  'notice',
])

/** Returns what a resource does with an event: it is read again, at most once a second. */
export function readAgain<State extends Shown>({ refresh, signal }: Run<State>) {
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  return ({ type }: ServiceEvent): void => {
    if (timer !== undefined || withoutEffect.has(type)) return
    timer = setTimeout(
      () => {
        timer = undefined
        last = Date.now()
        void refresh()
      },
      Math.max(delay, last + pause - Date.now()),
    )
  }
}
