import { expect, test } from 'vitest'
import { createWaitingBytes } from './unsent-bytes.ts'

const MiB = 1024 * 1024
/** Makes a caller on the n-th network of an IPv6 /48. */
const who = (site: string, n: number) => ({
  caller: `${site} ${n}`,
  network: `2001:db8:${site}:${n}::/64`,
  site: `2001:db8:${site}::/48`,
})

test('the networks of an IPv6 /48 hold one share of what waits, however many they are', () => {
  const bytes = createWaitingBytes()
  let held = 0
  while (held < 100 && bytes.hasRoom(who('a', held))) bytes.hold(who('a', held++), MiB)
  expect(held).toBeLessThan(3)
  expect(bytes.hasRoom(who('b', 1))).toBe(true)
})

test('what was sent makes room again', () => {
  const bytes = createWaitingBytes()
  const releases = [1, 2].map((n) => bytes.hold(who('a', n), MiB))
  expect(bytes.hasRoom(who('a', 3))).toBe(false)
  for (const release of releases) release()
  expect(bytes.hasRoom(who('a', 3))).toBe(true)
})
