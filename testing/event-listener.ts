import type { ServiceEvent } from '@parley/sdk'
import { expect } from 'vitest'
import { fieldOf, readBlocks } from './event-blocks.ts'
import { newToken, type Service } from './service.ts'

interface Heard {
  id: string | undefined
  event: ServiceEvent
}

/** A client of the event stream that does nothing by itself: what it heard, as it came over a real socket. */
export async function listenTo(
  service: Service,
  wallet: string,
  { lastEventId, lifetime }: { lastEventId?: string | undefined; lifetime?: number } = {},
) {
  const token = await newToken(service.ctx, wallet, lifetime)
  const stop = new AbortController()
  const response = await fetch(`${await service.listen()}/v1/events`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: stop.signal,
  })
  const heard: Heard[] = []
  const state = {
    lastId: undefined as string | undefined,
    comments: 0,
    retries: [] as string[],
    ended: false,
  }
  const reading = readBlocks(response, (block) => receive(block, heard, state)).catch(() => {})
  void reading.then(() => (state.ended = true))
  if (response.ok) await expect.poll(() => state.retries.length, { interval: 5 }).toBeGreaterThan(0)
  return {
    response,
    heard,
    state,
    events: () => heard.map(({ event }) => event),
    /** The texts of the messages it heard. */
    messages: () => heard.flatMap(({ event }) => ('item' in event ? [event.item.message] : [])),
    /** Waits until it has heard that many events. */
    hears: (count: number, timeout = 20_000) =>
      expect.poll(() => heard.length, { timeout, interval: 5 }).toBeGreaterThanOrEqual(count),
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

function receive(block: string, heard: Heard[], state: State): void {
  const [id, data, retry] = [fieldOf(block, 'id'), fieldOf(block, 'data'), fieldOf(block, 'retry')]
  if (retry !== undefined) state.retries.push(retry)
  if (id !== undefined) state.lastId = id
  if (data !== undefined) heard.push({ id, event: JSON.parse(data) as ServiceEvent })
  else if (retry === undefined) state.comments++
}
