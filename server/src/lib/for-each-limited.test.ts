import { expect, test } from 'vitest'
import { forEachLimited } from './for-each-limited.ts'

test('each item is worked on once, and no more than the limit at a time', async () => {
  const done: number[] = []
  let [running, most] = [0, 0]
  await forEachLimited([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, item % 3))
    running--
    done.push(item)
  })
  expect(most).toBe(3)
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
})
