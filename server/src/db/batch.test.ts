import { expect, test } from 'vitest'
import type { Db } from './pool.ts'
import { batched } from './batch.ts'

const pool = { inTransaction: false } as Db

test('what arrives while others are in flight goes together, in order, and each gets its own answer', async () => {
  const batches: number[][] = []
  const double = batched(
    async (_db, items: number[]) => {
      batches.push(items)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return items.map((item) => item * 2)
    },
    { name: 'test', inFlight: 2, size: 4, waitsFor: 'rows' },
  )
  const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => double(pool, i)))
  expect(answers).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16])
  expect(batches).toEqual([[0, 1, 2, 3], [4, 5, 6, 7], [8]])
})

test('a bad item fails alone', async () => {
  const store = batched(
    async (_db, items: number[]) => {
      await Promise.resolve()
      if (items.includes(3)) throw Object.assign(new Error('out of range'), { code: '22003' })
      return items
    },
    { name: 'test', inFlight: 1, size: 10, waitsFor: 'rows' },
  )
  const settled = await Promise.allSettled([1, 2, 3, 4].map((item) => store(pool, item)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('when the connection broke nothing is tried again, and later calls work', async () => {
  let calls = 0
  const store = batched(
    async (_db, items: number[]) => {
      await Promise.resolve()
      if (++calls === 2) throw Object.assign(new Error('gone'), { code: '57P01' })
      return items
    },
    { name: 'test', inFlight: 1, size: 10, waitsFor: 'rows' },
  )
  expect(await store(pool, 1)).toBe(1)
  const settled = await Promise.allSettled([2, 3].map((item) => store(pool, item)))
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(calls).toBe(2)
  expect(await store(pool, 4)).toBe(4)
})

test('a slow statement does not delay others', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const store = batched(
    async (_db, items: string[]) => {
      if (items.includes('slow')) await held
      return items
    },
    { name: 'test', inFlight: 1, size: 1, waitsFor: 'rows' },
  )
  let slowIsDone = false
  const slow = store(pool, 'slow').then(() => (slowIsDone = true))
  expect(await Promise.all(['a', 'b', 'c'].map((item) => store(pool, item)))).toEqual(['a', 'b', 'c'])
  expect(slowIsDone).toBe(false)
  letGo()
  await slow
})

test('a locked row delays only the items that need it; a locked table fails the whole batch at once', async () => {
  for (const [waitsFor, calls, outcome] of [
    ['rows', [3, 1, 1, 1], ['rejected', 'fulfilled', 'fulfilled']],
    ['tables', [3], ['rejected', 'rejected', 'rejected']],
  ] as const) {
    const sizes: number[] = []
    const store = batched(
      async (_db, items: string[]) => {
        sizes.push(items.length)
        if (items.includes('locked')) throw Object.assign(new Error('lock timeout'), { code: '55P03' })
        return items
      },
      { name: 'test', inFlight: 1, size: 10, waitsFor },
    )
    const settled = await Promise.allSettled(['locked', 'a', 'b'].map((item) => store(pool, item)))
    expect(settled.map(({ status }) => status)).toEqual(outcome)
    expect(sizes).toEqual(calls)
  }
})

test('items of different groups never go together, and each group has statements in flight of its own', async () => {
  const batches: number[][] = []
  let inFlight = 0
  let most = 0
  const store = batched(
    async (_db, items: number[]) => {
      batches.push(items)
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inFlight--
      return items.map((item) => -item)
    },
    { name: 'test', inFlight: 1, size: 4, waitsFor: 'rows', groupOf: (_db, item) => item % 2 },
  )
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => store(pool, i)))
  expect(answers).toEqual(Array.from({ length: 10 }, (_, i) => -i))
  expect(batches).toEqual([[0, 2, 4, 6], [1, 3, 5, 7], [8], [9]])
  expect(most).toBe(2)
})
