import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf, charge, createMeter, refund, take, takeElsewhere } from './token-buckets.ts'

test('over any stretch of time a bucket gives at most its size and what came back, and never less to one who waits', () => {
  const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 5000 }), asks: fc.nat(20) }), {
    maxLength: 50,
  })
  const rates = fc.record({
    burst: fc.integer({ min: 1, max: 50 }),
    perSecond: fc.integer({ min: 1, max: 20 }),
  })
  fc.assert(
    fc.property(rates, steps, (rate, history) => {
      const meter = createMeter('test', rate)
      let now = 0
      const given: number[] = []
      for (const { wait, asks } of history) {
        now += wait
        for (let i = 0; i < asks; i++) {
          const bucket = bucketOf(meter, 'a', now)
          if (bucket.tokens < 1) {
            // Only an empty bucket refuses: it gave its tokens in the time that it takes to fill up.
            const lately = given.filter((at) => now - at < (rate.burst / rate.perSecond) * 1000).length
            expect(lately).toBeGreaterThan(0)
            break
          }
          take(meter, 'a', bucket)
          given.push(now)
        }
      }
      for (let first = 0; first < given.length; first++)
        for (let last = first; last < given.length; last++)
          expect(last - first + 1).toBeLessThanOrEqual(
            rate.burst + ((given[last]! - given[first]!) / 1000) * rate.perSecond + 1e-6,
          )
    }),
  )
})

test('what other instances took is missing here, down to minus the size of a bucket', () => {
  const meter = createMeter('test', { burst: 10, perSecond: 1 })
  takeElsewhere(meter, 'a', 4, 0)
  expect(bucketOf(meter, 'a', 0).tokens).toBe(6)
  takeElsewhere(meter, 'a', 1000, 0)
  expect(bucketOf(meter, 'a', 0).tokens).toBe(-10)
  expect(bucketOf(meter, 'a', 11_000).tokens).toBe(1)
})

test('several buckets are charged together or not at all, and a refund gives all of it back', () => {
  const [narrow, wide] = [
    createMeter('narrow', { burst: 4, perSecond: 2 }),
    createMeter('wide', { burst: 10, perSecond: 1 }),
  ]
  const from = [
    [narrow, 'a', 3],
    [wide, 'net'],
  ] as const
  const held = () => [bucketOf(narrow, 'a', 0).tokens, bucketOf(wide, 'net', 0).tokens]
  expect(charge(from, 0)).toMatchObject({ meter: narrow, wait: 0 })
  expect(held()).toEqual([1, 9])
  expect(charge(from, 0)).toMatchObject({ meter: narrow, wait: 1 })
  expect(held()).toEqual([1, 9])
  refund(from, 0)
  expect(held()).toEqual([4, 10])
})
