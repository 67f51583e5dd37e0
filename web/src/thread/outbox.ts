// Messages that the service has not acknowledged. They are kept in this browser, so that nothing is
// lost when the page is closed or the connection breaks, and are sent in order, thread by thread.
// The id of an entry is its Idempotency-Key, so repeating it never sends it twice. A repetition
// must have the same body: an entry is encrypted once, before it is first sent.

import { newIdempotencyKey, type NewChatItem, type NewComment, type NewGroupChatItem } from '@parley/sdk'
import { maybeTemporary, withRetry } from '@parley/sdk/retry.ts'
import { useMemo } from 'react'
import { client, describeError } from '../service/api.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'
import { type History, type HistoryName, insertItem, type Items, setUnanswered } from './history.ts'

type Outgoing =
  | { endpoint: 'sendDirectMessage'; body: NewChatItem }
  | { endpoint: 'postGroupMessage'; body: NewGroupChatItem }
  | { endpoint: 'createComment'; body: NewComment }

export type Entry = Outgoing & {
  id: string
  /** The histories it will be part of. */
  histories: History[]
  /** Entries of one thread are sent one after the other. */
  thread: string
  text: string
  timestamp: string
  state: 'sending' | 'waiting' | 'failed'
  problem?: string
  /** The peer's key, where the page said that the message will be encrypted. */
  encrypt?: string
  /** Whether the body is final: encrypted where that was asked for. */
  prepared?: boolean
}

type Prepare = (entry: Entry) => Promise<Entry>

/** The threads being sent for the wallet that is signed in, and how to stop when that changes. */
const newWork = () => ({ stop: new AbortController(), threads: new Set<string>() })
let work = newWork()
let prepare: Prepare = async (entry) => entry
const outbox = createStore(load())
const informHistories = () => setUnanswered(outbox.get().filter(({ state }) => state !== 'failed'))
informHistories()
outbox.subscribe(informHistories)

onAccountChange(() => {
  work.stop.abort()
  work = newWork()
  outbox.set(load())
  resume()
})

/** Sets what happens to an entry before it is first sent. */
export function beforeSending(step: Prepare): void {
  prepare = step
}

/** The entries of a thread, oldest first. */
export function useOutbox(thread: string): Entry[] {
  const all = useStore(outbox)
  return useMemo(() => all.filter((entry) => entry.thread === thread), [all, thread])
}

/** Queues a message and sends it as soon as that is possible. */
export function enqueue(entry: Outgoing & Pick<Entry, 'histories' | 'thread' | 'text' | 'encrypt'>): void {
  const timestamp = new Date().toISOString()
  save([...outbox.get(), { ...entry, id: newIdempotencyKey(), timestamp, state: 'sending' }])
  start(entry.thread)
}

export function retry(id: string): void {
  update(id, ({ problem: _problem, ...entry }) => ({ ...entry, state: 'sending' }))
  const entry = outbox.get().find((one) => one.id === id)
  if (entry) start(entry.thread)
}

export const discard = (id: string): void => save(outbox.get().filter((entry) => entry.id !== id))

/** Sends everything that has not been refused. */
export function resume(): void {
  for (const { thread } of outbox.get()) start(thread)
}

function start(thread: string): void {
  const { stop, threads } = work
  if (threads.has(thread)) return
  threads.add(thread)
  void sendAll(thread, stop.signal).finally(() => threads.delete(thread))
}

async function sendAll(thread: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const entry = outbox.get().find((one) => one.thread === thread && one.state !== 'failed')
    if (!entry) return
    try {
      await withRetry(() => send(entry.id, signal), maybeTemporary, untilAnswered(entry.id), signal)
    } catch (error) {
      if (signal.aborted) return
      update(entry.id, (one) => ({ ...one, state: 'failed', problem: describeError(error) }))
    }
  }
}

const untilAnswered = (id: string) => ({
  attempts: Infinity,
  // A quota of a day frees in hours: then the message is shown as not sent, with the reason.
  longestWait: 600_000,
  onRetry: () => update(id, (entry) => ({ ...entry, state: 'waiting' })),
})

async function send(id: string, signal: AbortSignal): Promise<void> {
  let entry = outbox.get().find((one) => one.id === id)!
  if (!entry.prepared) {
    entry = { ...(await prepare(entry)), prepared: true }
    signal.throwIfAborted()
    update(id, () => entry)
  }
  const call = client[entry.endpoint] as (input: object, options: object) => Promise<Items[HistoryName][]>
  const [item] = await call({ body: entry.body }, { idempotencyKey: id, signal })
  sent.set(item!.id, id)
  for (const history of entry.histories) insertItem(history, item!)
  // The stored message is shown before its entry is removed. Pages show only one of the same key.
  await new Promise((resolve) => setTimeout(resolve, 0))
  discard(id)
}

/** The key under which a message was shown before it was acknowledged. */
export const keyOf = (id: number): string => sent.get(id) ?? String(id)
const sent = new Map<number, string>()

function update(id: string, change: (entry: Entry) => Entry): void {
  save(outbox.get().map((entry) => (entry.id === id ? change(entry) : entry)))
}

function storageKey(): string {
  return `parley.outbox.${currentAccount()?.address}`
}

function load(): Entry[] {
  return JSON.parse(localStorage.getItem(storageKey()) ?? '[]')
}

function save(next: Entry[]): void {
  if (next.length > 0) localStorage.setItem(storageKey(), JSON.stringify(next))
  else localStorage.removeItem(storageKey())
  outbox.set(next)
}
