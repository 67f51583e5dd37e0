import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

const pausesOf = (backoff: { next: () => number }, count: number) =>
  Array.from({ length: count }, () => backoff.next())

test('each pause is twice as long as the one before, up to the longest, and a success begins anew', () => {
  const backoff = createBackoff({ first: 100, longest: 500 })
  expect(pausesOf(backoff, 5)).toEqual([100, 200, 400, 500, 500])
  backoff.reset()
  expect(pausesOf(backoff, 2)).toEqual([100, 200])
})

test('the first retry may be made at once', () => {
  const backoff = createBackoff({ first: 100, longest: 500, atOnce: true })
  expect(pausesOf(backoff, 4)).toEqual([0, 100, 200, 400])
  backoff.reset()
  expect(backoff.next()).toBe(0)
})

test('chance takes off at most half of a pause', () => {
  const pauses = pausesOf(createBackoff({ first: 100, longest: 100, random: true }), 100)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(100)
})
