// Messages that the service has not acknowledged. They are kept in this browser, so that nothing is
// lost when the page is closed or the connection breaks, and are sent in order, thread by thread,
// by one tab. The id of an entry is its Idempotency-Key, so repeating it never sends it twice. A
// repetition must have the same body: an entry is encrypted once, before it is first sent.

import { ApiError, newIdempotencyKey } from '@parley/sdk'
import { maybeTemporary, withRetry } from '@parley/sdk/retry.ts'
import { useMemo } from 'react'
import { client, describeError } from '../service/api.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import { useStore } from '../ui/store.ts'
import {
  acknowledge,
  change,
  type Entry,
  entryOf,
  keep,
  nextTimestamp,
  onOtherTab,
  outbox,
  type Outgoing,
  reload,
} from './entries.ts'
import type { HistoryName, Items } from './history.ts'
import { inTurn, stopAll } from './turn.ts'

type Prepare = (entry: Entry) => Promise<Entry>
let prepare: Prepare = async (entry) => entry

/** Sets what happens to an entry before it is first sent. */
export function beforeSending(step: Prepare): void {
  prepare = step
}

onAccountChange(() => {
  stopAll()
  reload()
  resume()
})

onOtherTab(({ thread }) => start(thread, false))

// The tab that is looked at sends.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') resume(true)
})

/** The entries of a thread, oldest first. */
export function useOutbox(thread: string): Entry[] {
  const all = useStore(outbox)
  return useMemo(() => all.filter((entry) => entry.thread === thread), [all, thread])
}

/** Queues a message and sends it as soon as that is possible. */
export function enqueue(entry: Outgoing & Pick<Entry, 'histories' | 'thread' | 'text' | 'encrypt'>): void {
  keep({ ...entry, id: newIdempotencyKey(), timestamp: nextTimestamp(), state: 'sending' })
  start(entry.thread, true)
}

export function retry(id: string): void {
  const entry = change(id, ({ problem: _problem, ...one }) => ({ ...one, state: 'sending' }))
  if (entry) start(entry.thread, true)
}

/** Sends everything that has not been refused: in this tab, or in the one that is doing it. */
export function resume(takeOver = false): void {
  for (const thread of new Set(outbox.get().map((entry) => entry.thread))) start(thread, takeOver)
}

const nextOf = (thread: string) =>
  outbox.get().find((entry) => entry.thread === thread && entry.state !== 'failed')

function start(thread: string, takeOver: boolean): void {
  const me = currentAccount()?.address
  if (me && nextOf(thread)) void inOrder(me, thread, takeOver)
}

async function inOrder(me: string, thread: string, takeOver: boolean): Promise<void> {
  const name = `parley.outbox.${me} ${thread}`
  const ended = await inTurn(name, takeOver, (signal) => sendAll(thread, signal))
  // Something was added at that moment, or another tab has taken over and may be closed.
  if (ended && currentAccount()?.address === me) start(thread, false)
}

async function sendAll(thread: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const entry = nextOf(thread)
    if (!entry || signal.aborted) return
    try {
      await withRetry(() => send(entry.id, signal), maybeTemporary, untilAnswered(entry.id), signal)
    } catch (error) {
      if (signal.aborted) return
      change(entry.id, (one) => ({ ...one, state: 'failed', problem: describeError(error) }))
    }
  }
}

const untilAnswered = (id: string) => ({
  attempts: Infinity,
  // A quota of a day frees in hours: then the message is shown as not sent, with the reason.
  longestWait: 600_000,
  onRetry: (error: unknown, wait: number) =>
    change(id, ({ problem: _before, ...entry }) => ({
      ...entry,
      state: 'waiting',
      // Such as slow mode in a chat: what is only a moment is not worth a sentence.
      ...(error instanceof ApiError && wait > 3000 && { problem: describeError(error) }),
    })),
})

async function send(id: string, signal: AbortSignal): Promise<void> {
  let entry = entryOf(id)
  if (!entry) return
  if (!entry.prepared) {
    const prepared = await prepare(entry)
    signal.throwIfAborted()
    entry = change(
      id,
      (one) => (one.prepared ? one : { ...one, body: prepared.body, prepared: true }) as Entry,
    )
    if (!entry) return
  }
  // What was written to be encrypted never goes out in the clear.
  if (entry.encrypt && !('encrypted_sym_x_key' in entry.body && entry.body.encrypted_sym_x_key))
    throw new ApiError('conflict', 'It was not encrypted.')
  const call = client[entry.endpoint] as (input: object, options: object) => Promise<Items[HistoryName][]>
  const [item] = await call({ body: entry.body }, { idempotencyKey: id, signal })
  await acknowledge(entry, item!)
}
