import { expect, test } from 'vitest'
import { shareReads } from './share-reads.ts'

test('a crowd shares the read that begins after it has asked; one that fails fails for nobody else', async () => {
  const share = shareReads<number>()
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  let reads = 0
  const read = async () => {
    const n = reads++
    await gates[n]?.promise
    if (n === 1) throw new Error('away')
    return n
  }
  const first = share('page', read)
  const leader = share('page', read).catch(({ message }: Error) => message)
  const crowd = [share('page', read), share('page', read)]
  expect(await share('another', async () => 7)).toBe(7)
  expect(reads).toBe(1)
  for (const { resolve } of gates) resolve()
  expect(await first).toBe(0)
  expect(await leader).toBe('away')
  expect(await Promise.all(crowd)).toEqual([2, 3])
  expect(await share('page', read)).toBe(4)
})
