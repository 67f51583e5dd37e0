import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

test('the clock follows that of the database, and keeps its difference while nothing contradicts it', () => {
  const clock = createClock()
  const difference = () => Math.round((clock.now() - Date.now()) / 10) * 10
  clock.learn(1000, 1003, 1005)
  expect(difference()).toBe(0)
  clock.learn(1000, 61_000, 1010)
  expect(difference()).toBe(59_990)
  clock.learn(1000, 61_000, 1200)
  expect(difference()).toBe(59_990)
  clock.learn(2000, 1000, 2010)
  expect(difference()).toBe(-1000)
})
