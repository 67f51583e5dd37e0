// Clients that look on while things go wrong, and may neither miss a message nor be told one twice. A poller asks for what
// is newer than the last time it has seen; the other kind, which reads the event stream, is in listener.ts.

import { setTimeout as sleep } from 'node:timers/promises'
import { checkWatched, type Item, keyOf, type Violation } from '../check/checker.ts'
import type { Ledger } from '../check/ledger.ts'
import type { Random } from '../random.ts'
import type { Room, World } from '../wallets.ts'

export interface Watcher {
  /** Ends it, with a last look. */
  stop(): Promise<void>
  /** What it got wrong, given the full list of its room or wallet. */
  check(listed: Item[]): Violation[]
  room?: string
  wallet?: string
  /** How often it was told that it may have missed something. */
  readonly resyncs?: number
}

export interface WatchOptions {
  world: World
  ledger: Ledger
  random: Random
  urls: () => string[]
  report: (violation: Violation) => void
}

/** Polls the messages between two wallets by the last timestamp it has seen. */
export function startPoller({ world, ledger, random, urls, report }: WatchOptions, room: Room): Watcher {
  if (!('pair' in room)) throw new Error('only conversations are polled by time')
  const [fromaddr, toaddr] = room.pair
  const told: Item[] = []
  const seen = new Set<string>()
  let checked = 0
  const stop = new AbortController()

  async function look(): Promise<void> {
    const client = world.client(fromaddr, random.pick(urls()))
    const owed = ledger.acknowledged.get(room.name)?.slice(checked) ?? []
    const time = told.at(-1)?.timestamp ?? '2000-01-01T00:00:00.000Z'
    const items = await client.listConversationSince(
      { fromaddr, toaddr, time },
      { signal: AbortSignal.timeout(10_000) },
    )
    for (const { id, timestamp, fromaddr: by, message } of items) {
      told.push({ id, timestamp, fromaddr: by, message: '' })
      seen.add(keyOf({ message }))
    }
    // Whatever was acknowledged before the question must be in the answer: now, not only in the end.
    for (const key of owed)
      if (!seen.has(key))
        report({ kind: 'gap', detail: `${key} was acknowledged, then not polled in ${room.name}` })
    checked += owed.length
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await look().catch(() => {})
      await sleep(random.between(100, 500))
    }
    await look()
  }

  const running = run()
  running.catch(() => {})
  return {
    room: room.name,
    stop() {
      stop.abort()
      return running
    },
    check: (listed) => checkWatched(`the poller of ${room.name}`, told, listed),
  }
}
