import type { ServiceEvent } from '@parley/sdk'
import { expect } from 'vitest'
import { fieldOf, readBlocks } from './event-blocks.ts'
import { newToken, type Service } from './service.ts'

interface Received {
  id: string | undefined
  event: ServiceEvent
}

interface Options {
  lastEventId?: string | undefined
  lifetime?: number
  /** The token in place of a sign-in. */
  token?: string
}

/** Opens a client of the event stream over a real socket. It remembers what it receives and never reconnects. */
export async function listenTo(
  service: Service,
  wallet: string,
  { lastEventId, lifetime, token = '' }: Options = {},
) {
  const stop = new AbortController()
  const response = await fetch(`${await service.listen()}/v1/events`, {
    headers: {
      authorization: `Bearer ${token || (await newToken(service.ctx, wallet, lifetime))}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: stop.signal,
  })
  const { detail } = response.ok ? { detail: '' } : ((await response.clone().json()) as { detail: string })
  const received: Received[] = []
  const state = {
    lastId: undefined as string | undefined,
    comments: 0,
    retries: [] as string[],
    ended: false,
  }
  const reading = readBlocks(response, (block) => receive(block, received, state)).catch(() => {})
  void reading.then(() => (state.ended = true))
  if (response.ok)
    await expect.poll(() => state.retries.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0)
  return {
    response,
    /** The reason of a refusal. */
    detail,
    received,
    state,
    events: () => received.map(({ event }) => event),
    /** Returns the texts of the messages received. */
    messages: () => received.flatMap(({ event }) => ('item' in event ? [event.item.message] : [])),
    /** Waits until it has received that many events. */
    receives: (count: number, timeout = 20_000) =>
      expect.poll(() => received.length, { timeout, interval: 5 }).toBeGreaterThanOrEqual(count),
    ends: () => expect.poll(() => state.ended, { timeout: 10_000, interval: 10 }).toBe(true),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reading
    },
  }
}

interface State {
  lastId: string | undefined
  comments: number
  retries: string[]
}

function receive(block: string, received: Received[], state: State): void {
  const [id, data, retry] = [fieldOf(block, 'id'), fieldOf(block, 'data'), fieldOf(block, 'retry')]
  if (retry !== undefined) state.retries.push(retry)
  if (id !== undefined) state.lastId = id
  if (data !== undefined) received.push({ id, event: JSON.parse(data) as ServiceEvent })
  else if (retry === undefined) state.comments++
}
