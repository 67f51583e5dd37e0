import { type CallOptions, newIdempotencyKey } from '@parley/sdk'
import type { Problem } from './problem.ts'
import type { Run } from './shared.ts'
import { type Change, type Item, type ThreadState, type Unsent, withItems } from './thread.ts'

export interface ThreadActions {
  /**
   * Sends a text: it is among the messages at once. Returns false where nothing is sent, because the text is empty or nobody is
   * signed in.
   */
  send: (message: string) => boolean
  /** Sends a message again that has failed. If it was stored the first time, it is not stored again. */
  retry: (key: string) => void
  /** Removes a message that has failed. */
  discard: (key: string) => void
}

interface Outbox<Of extends Item> {
  post: (message: string, call: CallOptions) => Promise<Of[]>
  change: (by: Change<Of>) => void
  /** Returns why nothing can be sent. */
  refuse?: (items: readonly Of[]) => Problem | undefined
}

/** What a thread sends: one message after the other, in the order in which they were written. */
export function startOutbox<Of extends Item>(
  { get, set, signal, me, fail, whenRead }: Run<ThreadState<Of>>,
  { post, change, refuse }: Outbox<Of>,
) {
  const update = (key: string, by: Partial<Unsent> | undefined) => {
    const { unsent } = get()
    const at = unsent.findIndex((one) => one.key === key)
    const old = unsent[at]
    if (old) set({ unsent: by ? unsent.with(at, { ...old, ...by }) : unsent.toSpliced(at, 1) })
  }
  let isSending = false
  const sendAll = async () => {
    if (isSending) return
    isSending = true
    // What was read may say that nothing can be sent.
    await whenRead()
    for (let next; !signal.aborted && (next = get().unsent.find(({ status }) => status === 'pending'));) {
      const { key, message } = next
      const error = refuse?.(get().items)
      try {
        if (!error) change(withItems(await post(message, { idempotencyKey: key, signal }), key))
        update(key, error && { status: 'failed', error })
      } catch (failure) {
        if (!signal.aborted) update(key, { status: 'failed', error: fail(failure) })
      }
    }
    isSending = false
  }
  return {
    /** What is not sent stays when nobody shows it. */
    keep: () => {
      const { unsent } = get()
      if (unsent.some(({ status }) => status === 'pending')) return 'wait' as const
      return unsent.length > 0 ? { unsent } : undefined
    },
    send: (message: string) => {
      if (!message.trim()) return false
      const key = newIdempotencyKey()
      const { unsent, items } = get()
      const after = items.at(-1)?.id ?? 0
      set({ unsent: [...unsent, { status: 'pending', key, fromaddr: me, message, after }] })
      void sendAll()
      return true
    },
    retry: (key: string) => {
      update(key, { status: 'pending', error: undefined })
      void sendAll()
    },
    discard: (key: string) => update(key, undefined),
  }
}
