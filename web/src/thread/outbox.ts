// What was written and is not yet acknowledged. It is kept in this browser, so that nothing is lost when the page is closed
// or the connection drops, and goes out in order, thread by thread. An entry's id is its Idempotency-Key: trying again
// never sends twice. Once an entry was prepared (encrypted), the same bytes are sent each time, because a key that is used
// again must come with the same body.

import type { NewChatItem, NewComment, NewGroupChatItem } from '@parley/sdk'
import { hashKey } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client, describeError, isRefusal } from '../service/api.ts'
import { type History, type HistoryName, insertItem, type Items } from './history.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../ui/store.ts'
import { uuid } from '../ui/uuid.ts'

type Outgoing =
  | { endpoint: 'sendDirectMessage'; body: NewChatItem }
  | { endpoint: 'postGroupMessage'; body: NewGroupChatItem }
  | { endpoint: 'createComment'; body: NewComment }

export type Entry = Outgoing & {
  id: string
  /** The histories it will be part of. */
  histories: History[]
  /** Entries of one thread go out one after the other. */
  thread: string
  text: string
  timestamp: string
  state: 'sending' | 'waiting' | 'failed'
  problem?: string
  /** The peer's key, where it was promised that the message is encrypted. */
  encrypt?: string
  /** Whether the body is what will be sent. */
  prepared?: boolean
}

type Prepare = (entry: Entry) => Promise<Entry>

const running = new Set<string>()
const pauses = new Map<string, ReturnType<typeof setTimeout>>()
let prepare: Prepare = async (entry) => entry
export const outbox = createStore(load())

onAccountChange(() => {
  outbox.set(load())
  resume()
})
addEventListener('online', () => resume())

/** Sets what happens to an entry before it goes out for the first time. */
export function beforeSending(step: Prepare): void {
  prepare = step
}

/** What of a thread is not acknowledged yet, oldest first. */
export function useOutbox(thread: string): Entry[] {
  const all = useStore(outbox)
  return useMemo(() => all.filter((entry) => entry.thread === thread), [all, thread])
}

/** Queues a message and sends it as soon as that is possible. */
export function enqueue(entry: Outgoing & Pick<Entry, 'histories' | 'thread' | 'text' | 'encrypt'>): void {
  save([...outbox.get(), { ...entry, id: uuid(), timestamp: new Date().toISOString(), state: 'sending' }])
  void work(entry.thread)
}

export function retry(id: string): void {
  update(id, ({ problem: _problem, ...entry }) => ({ ...entry, state: 'sending' }))
  const thread = outbox.get().find((entry) => entry.id === id)?.thread
  if (thread) void work(thread)
}

export const discard = (id: string): void => save(outbox.get().filter((entry) => entry.id !== id))

/** Goes on with everything that waits for the connection. */
export function resume(): void {
  for (const thread of new Set(outbox.get().map((entry) => entry.thread))) void work(thread)
}

async function work(thread: string): Promise<void> {
  const owner = currentAccount()?.address
  const lane = `${owner} ${thread}`
  if (!owner || running.has(lane)) return
  running.add(lane)
  clearTimeout(pauses.get(lane))
  try {
    for (let failures = 0; ;) {
      const entry = outbox.get().find((one) => one.thread === thread && one.state !== 'failed')
      if (!entry || currentAccount()?.address !== owner) return
      try {
        await send(entry)
        failures = 0
      } catch (error) {
        if (isRefusal(error)) {
          update(entry.id, (one) => ({ ...one, state: 'failed', problem: describeError(error) }))
          continue
        }
        update(entry.id, (one) => ({ ...one, state: 'waiting' }))
        await new Promise((resolve) => {
          const pause = Math.min(500 * 2 ** failures++, 15_000) * (0.5 + Math.random())
          const timer = setTimeout(resolve, pause)
          addEventListener('online', resolve, { once: true })
          pauses.set(lane, timer)
        })
      }
    }
  } finally {
    running.delete(lane)
  }
}

async function send(entry: Entry): Promise<void> {
  let ready = entry
  if (!entry.prepared) {
    ready = { ...(await prepare(entry)), prepared: true }
    update(entry.id, () => ready)
  }
  const call = client[ready.endpoint] as (input: object, options: object) => Promise<Items[HistoryName][]>
  const [item] = await call({ body: ready.body }, { idempotencyKey: ready.id })
  sent.set(item!.id, ready.id)
  for (const history of ready.histories) insertItem(history, item!)
  // Shown as stored first: pages leave out what they have under the same key.
  setTimeout(() => discard(entry.id), 0)
  await new Promise((resolve) => setTimeout(resolve, 0))
}

/** The ids of the entries that will be part of a history and are neither acknowledged nor refused. */
export function pendingIn(history: History): string[] {
  const key = hashKey([history])
  return outbox
    .get()
    .filter(({ state, histories }) => state !== 'failed' && histories.some((one) => hashKey([one]) === key))
    .map(({ id }) => id)
}

/** The key under which a message was shown while it was on its way. */
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
