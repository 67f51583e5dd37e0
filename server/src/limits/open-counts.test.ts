import { expect, test } from 'vitest'
import { network } from './network.ts'
import { createOpenCount } from './open-counts.ts'

test('a caller has its share, ending one makes room for one, and ending it twice for no more', () => {
  const shares = createOpenCount(2)
  const first = shares.take('a')!
  shares.take('a')
  expect(shares.take('a')).toBeUndefined()
  expect(shares.take('b')).toBeDefined()
  first()
  first()
  expect(shares.take('a')).toBeDefined()
  expect(shares.take('a')).toBeUndefined()
})

test('the networks of an IPv6 /48 have a share together, and another /48 has its own', () => {
  const shares = createOpenCount(2, 5)
  const open = (prefix: string) =>
    Array.from({ length: 10 }, (_, i) => shares.take(network(`${prefix}:${i.toString(16)}::1`)!)).filter(
      Boolean,
    ).length
  const one = Array.from({ length: 3 }, (_, i) => shares.take(network(`2001:db8:1:a::${i}`)!))
  expect(one.filter(Boolean)).toHaveLength(2)
  expect(open('2001:db8:1')).toBe(3)
  expect(open('2001:db8:2')).toBe(5)
  expect(shares.take('198.51.100.7')).toBeDefined()
})
