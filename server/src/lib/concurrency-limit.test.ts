import { expect, test } from 'vitest'
import { atMost } from './concurrency-limit.ts'

test('so many run at once, the others in their order, also after one that fails', async () => {
  const inTurn = atMost(2)
  const began: number[] = []
  let [now, most] = [0, 0]
  const work = (n: number) => async () => {
    began.push(n)
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now--
    if (n % 3 === 0) throw new Error(`${n}`)
    return n
  }
  const all = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((n) => inTurn(work(n))))
  expect(all.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ])
  expect([began, most, now]).toEqual([[1, 2, 3, 4, 5, 6, 7], 2, 0])
})
