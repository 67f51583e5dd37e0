// A thread is a list of messages or comments, read from its end upwards, with what is being sent below it.

import type { CallOptions } from '@parley/sdk'
import type { Problem } from './problem.ts'
import { type First, firstOf, type Run, type Shown } from './shared.ts'

export interface Item {
  id: number
  fromaddr: string
  message: string
}

/** A message that the service has. */
export type Sent<Of extends Item> = Of & {
  status: 'sent'
  /** It stays the same when a message has been sent: use it as the key of the component. */
  key: string
}

/** A message that is being sent, or was not sent. */
export interface Unsent {
  status: 'pending' | 'failed'
  key: string
  fromaddr: string
  message: string
  /** Why it was not sent. */
  error?: Problem | undefined
  id?: undefined
  timestamp?: undefined
}

export interface ThreadState<Of extends Item> extends Shown {
  items: readonly Sent<Of>[]
  /** `after` is the message that was the newest one when it was written. */
  unsent: readonly (Unsent & { after: number })[]
  hasOlder: boolean
}

export type Change<Of extends Item> = (items: readonly Sent<Of>[]) => readonly Sent<Of>[]

export interface Query {
  before?: number
  after?: number
  limit: number
}
export type List<Of extends Item> = (query: Query, call: CallOptions) => Promise<Of[]>

const pageSize = 50
const largestPage = 1000

export const emptyThread = <Of extends Item>(): First<ThreadState<Of>> =>
  firstOf<ThreadState<Of>>({ items: [], unsent: [], hasOlder: false })

/** Adds messages to others, in order and each once. */
export const withItems =
  <Of extends Item>(added: readonly Of[], key?: string): Change<Of> =>
  (items) => {
    const all = new Map(items.map((item) => [item.id, item]))
    for (const item of added)
      all.set(item.id, { ...item, status: 'sent', key: key ?? all.get(item.id)?.key ?? String(item.id) })
    return [...all.values()].toSorted((a, b) => a.id - b.id)
  }

export function startThread<Of extends Item>(
  { get, set, signal, fail }: Run<ThreadState<Of>>,
  list: List<Of>,
) {
  /** What changes while a list is read, which may be older than the changes. */
  const readings = new Set<Change<Of>[]>()
  const read = async (query: Query) => {
    const missed: Change<Of>[] = []
    readings.add(missed)
    try {
      const page = await list(query, { signal })
      const known = get().items.filter(({ id }) => page.some((item) => item.id === id))
      const items = missed.reduce((before, by) => by(before), withItems(page)(known))
      return { items, hasOlder: page.length === query.limit }
    } finally {
      readings.delete(missed)
    }
  }
  return {
    list,
    /** Reads the newest messages, as many as there were: those before them may have changed too. */
    load: () =>
      read({
        before: Number.MAX_SAFE_INTEGER,
        limit: Math.min(Math.max(get().items.length, pageSize), largestPage),
      }),
    loadOlder: async () => {
      const [oldest] = get().items
      if (!oldest || !get().hasOlder) return
      try {
        const { items, hasOlder } = await read({ before: oldest.id, limit: pageSize })
        // The list may have been read again meanwhile, and the same page for another component.
        if (get().items[0]?.id === oldest.id) set({ items: withItems(items)(get().items), hasOlder })
      } catch (error) {
        if (!signal.aborted) set({ error: fail(error) })
      }
    },
    change: (by: Change<Of>) => {
      for (const missed of readings) missed.push(by)
      const { items } = get()
      const next = by(items)
      if (next !== items) set({ items: next })
    },
  }
}

/** Returns what is shown of a thread, oldest first. */
export function messagesOf<Of extends Item>({ items, unsent }: ThreadState<Of>): (Sent<Of> | Unsent)[] {
  // An event may bring a message before the response to it: until then nothing says that they are the same.
  const twins = new Set<number>()
  for (const { status, fromaddr, message, after } of unsent) {
    const twin =
      status === 'pending' &&
      items.find(
        (one) => one.id > after && !twins.has(one.id) && one.fromaddr === fromaddr && one.message === message,
      )
    if (twin) twins.add(twin.id)
  }
  return [...items.filter(({ id }) => !twins.has(id)), ...unsent]
}
