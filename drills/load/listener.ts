// This watcher reads the event stream (`GET /v1/events`) without the SDK, so that a fault of the SDK's reader shows.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatItem } from '@parley/sdk'
import { fieldOf, readBlocks } from '../../testing/service/event-blocks.ts'
import { checkWatched, type Item, type Violation } from '../check/checker.ts'
import type { Watcher, WatchOptions } from './poller.ts'

/** The longest silence in milliseconds. The service sends something at least every 20 s. */
const longestSilence = 25_000
/** Milliseconds without a message at the end: the last ones arrive within a second, even after a fault. */
const lastSilence = 2_500

/** Returns true when the service has an event stream. */
export async function hasStream(url: string): Promise<boolean> {
  const { status } = await fetch(`${url}/v1/events`, { method: 'HEAD' })
  return status !== 404
}

/** Receives the direct messages of a wallet, and resumes where it was whenever the connection breaks. */
export function startListener(
  { wallets, ledger, random, urls, patience, ended }: WatchOptions,
  wallet: string,
): Watcher {
  const received: Item[] = []
  const numbers = new Set<string>()
  const stop = new AbortController()
  let connection = new AbortController()
  let position = '0'
  let resyncs = 0

  async function listen(): Promise<void> {
    const cut = new AbortController()
    connection = cut
    const silence = setTimeout(() => cut.abort(), longestSilence)
    try {
      const response = await fetch(`${random.pick(urls())}/v1/events`, {
        headers: { authorization: `Bearer ${wallets.token(wallet)}`, 'last-event-id': position },
        signal: AbortSignal.any([stop.signal, cut.signal, ended]),
      })
      if (!response.ok) return await response.body?.cancel()
      await readBlocks(response, (block) => {
        silence.refresh()
        receive(block)
      })
    } finally {
      clearTimeout(silence)
    }
  }

  function receive(block: string): void {
    const [id, data] = [fieldOf(block, 'id'), fieldOf(block, 'data')]
    const number = id?.split('.')[1]
    const event = data === undefined ? undefined : (JSON.parse(data) as { type: string; item?: ChatItem })
    if (event?.type === 'resync') resyncs++
    // An event may come more than once. Its number shows whether it is new.
    const isNew = number === undefined || !numbers.has(number)
    if (event?.type === 'direct-message' && event.item && isNew) received.push({ ...event.item, message: '' })
    if (number !== undefined) numbers.add(number)
    if (id !== undefined) position = id
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted && !ended.aborted) {
      await listen().catch(() => {})
      await sleep(random.between(50, 300))
    }
  }

  /** Returns true when an acknowledged message has not come. */
  function isMissing(): boolean {
    const ids = new Set(received.map(({ id }) => id))
    const own = wallets.rooms.flatMap((room) =>
      'pair' in room && room.pair.includes(wallet) ? room.name : [],
    )
    const keys = own.flatMap((name) => ledger.acknowledged.get(name) ?? [])
    return keys.some((key) => !ids.has(ledger.history.get(key)!.acknowledged!.id))
  }

  const running = run()
  return {
    wallet,
    get resyncs() {
      return resyncs
    },
    async stop() {
      // The connection may be half-open, so it is replaced.
      connection.abort()
      const most = lastSilence * patience
      for (let silence = 0; silence < (isMissing() ? most : lastSilence) && !ended.aborted;) {
        const before = received.length
        await sleep(500)
        silence = received.length > before ? 0 : silence + 500
      }
      stop.abort()
      await running
    },
    check: (listed) => (resyncs > 0 ? [] : checkStream(wallet, received, listed)),
  }
}

/** Checks that each conversation arrives in its order; between conversations there is no order. */
function checkStream(wallet: string, received: Item[], listed: Item[]): Violation[] {
  const peerOf = (item: Item) => [item.fromaddr, (item as ChatItem).toaddr].toSorted().join(' ')
  const byRoom = Map.groupBy(listed, peerOf)
  const receivedByRoom = Map.groupBy(received, peerOf)
  return [...byRoom].flatMap(([room, items]) =>
    checkWatched(`the listener of ${wallet} to ${room}`, receivedByRoom.get(room) ?? [], items),
  )
}
