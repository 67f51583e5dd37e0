import type { Writable } from 'node:stream'

/** Settles when a stream has room for more, or has ended. */
export async function drained(to: Writable): Promise<void> {
  if (!to.writableNeedDrain || to.destroyed) return
  await new Promise<void>((resolve) => {
    const done = () => {
      to.off('drain', done).off('close', done)
      resolve()
    }
    to.on('drain', done).on('close', done)
  })
}
