// Watchers are clients that read during the faults. They must neither miss a message nor receive one twice. A poller requests
// messages newer than the last it has seen; listener.ts has the other kind, which reads the event stream.

import { setTimeout as sleep } from 'node:timers/promises'
import { checkWatched, type Item, keyOf, type Violation } from '../check/checker.ts'
import type { Room } from '../wallets.ts'
import type { ClientsOptions } from './attempts.ts'

export interface Watcher {
  /** Reads once more, then ends. */
  stop(): Promise<void>
  /** Compares what it received with the full list of its room or wallet. */
  check(listed: Item[]): Violation[]
  room?: string
  wallet?: string
  /** The number of times that the service said that it may have missed something. */
  readonly resyncs?: number
}

/** When `ended` is aborted, the watcher ends at once, without a last read. */
export interface WatchOptions extends Omit<ClientsOptions, 'prefix'> {
  /** Multiplies every time limit. */
  patience: number
}

/** Polls the messages between two wallets by the last timestamp it has seen. */
export function startPoller(
  { wallets, ledger, random, urls, report, ended }: WatchOptions,
  room: Room,
): Watcher {
  if (!('pair' in room)) throw new Error('only conversations are polled by time')
  const [fromaddr, toaddr] = room.pair
  const received: Item[] = []
  const seen = new Set<string>()
  let checked = 0
  const stop = new AbortController()

  async function poll(): Promise<void> {
    const client = wallets.client(fromaddr, random.pick(urls()))
    const expected = ledger.acknowledged.get(room.name)?.slice(checked) ?? []
    const time = received.at(-1)?.timestamp ?? '2000-01-01T00:00:00.000Z'
    const items = await client.listConversationSince(
      { fromaddr, toaddr, time },
      { signal: AbortSignal.any([ended, AbortSignal.timeout(10_000)]) },
    )
    for (const { id, timestamp, fromaddr: by, message } of items) {
      received.push({ id, timestamp, fromaddr: by, message: '' })
      seen.add(keyOf({ message }))
    }
    // A message that was acknowledged before the request must be in this response, not only in a later one.
    for (const key of expected)
      if (!seen.has(key))
        report({ kind: 'gap', detail: `${key} was acknowledged, then not polled in ${room.name}` })
    checked += expected.length
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted && !ended.aborted) {
      await poll().catch(() => {})
      await sleep(random.between(100, 500))
    }
    if (!ended.aborted) await poll()
  }

  const running = run()
  running.catch(() => {})
  return {
    room: room.name,
    stop() {
      stop.abort()
      return running
    },
    check: (listed) => checkWatched(`the poller of ${room.name}`, received, listed),
  }
}
