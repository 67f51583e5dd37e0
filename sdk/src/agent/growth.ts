// A text that grows: the message is sent with its beginning, and what comes replaces it, the last time as an edit.

import { ApiError } from '../contract/errors.ts'
import { maybeTemporary, pause } from '../retry.ts'
import { type Acting, untilAnswered } from './acting.ts'

/** The milliseconds between two texts, and how long the service takes them after the message was sent. */
const pace = 1_000
const longest = 120_000

/** Returns what replaces the text of a message that the agent has sent. */
export function createGrowth({ parley, signal }: Pick<Acting, 'parley' | 'signal'>, { id }: { id: number }) {
  const stopped = new AbortController()
  const over = AbortSignal.any([signal, stopped.signal])
  const began = performance.now()
  const edit = (message: string, writing: boolean) =>
    parley.editMessage(
      { id, body: { message, revision: 0, ...(writing && { writing }) } },
      writing ? { signal, retry: false } : untilAnswered(signal),
    )
  let last = began
  let next: (() => string) | undefined
  let running: Promise<void> | undefined

  /** Shows the newest text once a second. A text that fails is left out: a later one has it too. */
  async function run(): Promise<void> {
    while (next) {
      await pause(last + pace - performance.now(), undefined, over)
      last = performance.now()
      if (over.aborted || last - began >= longest) return
      const text = next()
      next = undefined
      try {
        await edit(text, true)
      } catch (error) {
        // The last text says why, if it fails too.
        if (!maybeTemporary(error)) stopped.abort()
      }
    }
  }

  return {
    /** Shows a text soon. It is read when it is shown. */
    show(text: () => string): void {
      next = text
      running ??= run().finally(() => (running = undefined))
    },
    /** Stores the whole text. Returns false where another one was stored before, or the message was deleted. */
    async finish(text: string): Promise<boolean> {
      stopped.abort()
      await running
      try {
        await edit(text, false)
        return true
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code === 'not_found') return false
        if (error.code !== 'conflict' || error.current === undefined) throw error
        return (error.current as { message?: string }).message === text
      }
    },
    stop: () => stopped.abort(),
  }
}
