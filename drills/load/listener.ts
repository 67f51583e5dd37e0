// A watcher that reads the event stream (`GET /v1/events`), by its own hands rather than the SDK's.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatItem } from '@parley/sdk'
import { checkWatched, type Item, type Violation } from '../check/checker.ts'
import type { Watcher, WatchOptions } from './poller.ts'

/** Longer than the service is silent: it gives a sign of life every 20 s. */
const longestSilence = 25_000

/** Whether the service has an event stream. */
export async function hasStream(url: string): Promise<boolean> {
  const { status } = await fetch(`${url}/v1/events`, { method: 'HEAD' })
  return status !== 404
}

/** Listens to the direct messages of a wallet, and resumes where it was whenever the connection breaks. */
export function startListener({ world, random, urls }: WatchOptions, wallet: string): Watcher {
  const told: Item[] = []
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
        headers: { authorization: `Bearer ${world.token(wallet)}`, 'last-event-id': position },
        signal: AbortSignal.any([stop.signal, cut.signal]),
      })
      if (!response.ok) await response.body?.cancel()
      else
        for await (const block of readBlocks(response.body!)) {
          silence.refresh()
          hear(block)
        }
    } finally {
      clearTimeout(silence)
    }
  }

  function hear({ id, data }: Block): void {
    const number = id?.split('.')[1]
    const event = data === undefined ? undefined : (JSON.parse(data) as { type: string; item?: ChatItem })
    if (event?.type === 'resync') resyncs++
    // At least once: one that comes again is known by its number.
    const isNew = number === undefined || !numbers.has(number)
    if (event?.type === 'direct-message' && event.item && isNew) told.push({ ...event.item, message: '' })
    if (number !== undefined) numbers.add(number)
    if (id !== undefined) position = id
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await listen().catch(() => {})
      await sleep(random.between(50, 300))
    }
  }

  const running = run()
  return {
    wallet,
    get resyncs() {
      return resyncs
    },
    async stop() {
      // A connection may be half-open. What was committed last is told within a second, also where nobody could say so.
      connection.abort()
      for (let before = -1; before < told.length; await sleep(2_500)) before = told.length
      stop.abort()
      await running
    },
    check: (listed) => (resyncs > 0 ? [] : checkStream(wallet, told, listed)),
  }
}

/** Each conversation must come in its order; between conversations there is none. */
function checkStream(wallet: string, told: Item[], listed: Item[]): Violation[] {
  const peerOf = (item: Item) => [item.fromaddr, (item as ChatItem).toaddr].toSorted().join(' ')
  const byRoom = Map.groupBy(listed, peerOf)
  const toldByRoom = Map.groupBy(told, peerOf)
  return [...byRoom].flatMap(([room, items]) =>
    checkWatched(`the listener of ${wallet} to ${room}`, toldByRoom.get(room) ?? [], items),
  )
}

interface Block {
  id: string | undefined
  data: string | undefined
}

/** The blocks of Server-Sent Events (WHATWG HTML, section 9.2). */
async function* readBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  let text = ''
  for await (const chunk of body.pipeThrough(
    new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>,
  )) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
      yield { id: field('id'), data: field('data') }
    }
  }
}
