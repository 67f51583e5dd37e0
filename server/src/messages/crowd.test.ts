import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Db } from '../db/pool.ts'
import { refusingCrowds } from './crowd.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A database with room for as many messages as it is told, of any conversation. */
function start() {
  const state = { room: 0, asked: 0 }
  const store = async (_db: Db, _message: { to: string }) => {
    state.asked++
    return state.room-- > 0 ? 'stored' : undefined
  }
  const insert = refusingCrowds(store, 'conversation', ({ to }) => to)
  /** Sends so many at once; answers how many were stored. */
  const send = async (count: number, to = 'bob') => {
    state.asked = 0
    const all = await Promise.allSettled(Array.from({ length: count }, () => insert({} as Db, { to })))
    for (const answer of all)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 1 })
    return all.filter(({ status }) => status === 'fulfilled').length
  }
  return { state, send }
}

test('while there is room everything is stored, however much it is', async () => {
  const { state, send } = start()
  state.room = 500
  expect(await send(500)).toBe(500)
})

test('once there is no room the database is asked for one message a millisecond, and for other conversations as ever', async () => {
  const { state, send } = start()
  expect(await send(100)).toBe(0)
  expect(state.asked).toBe(100)
  state.room = Infinity
  await send(100)
  expect(state.asked).toBe(1)
  for (const [passed, allowed] of [
    [1, 1],
    [3, 3],
    [500, 11],
  ] as const) {
    vi.advanceTimersByTime(passed)
    expect(await send(100)).toBe(allowed)
    expect(state.asked).toBe(allowed)
  }
  expect(await send(100, 'carol')).toBe(100)
})

test('a second later everything is tried again', async () => {
  const { state, send } = start()
  await send(1)
  state.room = Infinity
  vi.advanceTimersByTime(999)
  expect(await send(100)).toBe(11)
  vi.advanceTimersByTime(1)
  expect(await send(100)).toBe(100)
})
