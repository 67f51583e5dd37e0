import { expect, test } from 'vitest'
import { createTypingLimit } from './typing.ts'

test('the same is passed on once a second', async () => {
  const limit = createTypingLimit()
  const toBob = { fromaddr: 'alice', toaddr: 'bob' }
  expect([limit.allows(toBob), limit.allows(toBob)]).toEqual([true, false])
  expect(limit.allows({ fromaddr: 'alice', nftaddr: 'bob' })).toBe(true)
  expect(limit.allows({ fromaddr: 'bob', toaddr: 'alice' })).toBe(true)
})

test('wallets that type to many do not switch typing off for others', () => {
  const limit = createTypingLimit()
  const others = { fromaddr: 'carol', toaddr: 'dave' }
  expect(limit.allows(others)).toBe(true)
  for (let i = 0; i < 20_000; i++) limit.allows({ fromaddr: `eve${i % 4}`, toaddr: `target${i}` })
  expect(limit.allows({ fromaddr: 'alice', toaddr: 'bob' })).toBe(true)
  // The others' entries are still remembered.
  expect(limit.allows(others)).toBe(false)
})
