import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOpenCount, createTurns, inTurn, type Who } from './concurrency.ts'
import { network as networkOfAddress, siteOf } from './network.ts'

const from = (caller: string, network: string): Who => ({ caller, network, site: siteOf(network) })
const alice = from('alice', 'a')
const bob = from('bob', 'b')

test('who asks once is served before the rest of a long line', async () => {
  const turns = createTurns({ name: 'test', total: 1, caller: 1, network: 1, site: 1, waiting: 100 })
  const order: string[] = []
  const work = async (who: Who) => {
    const end = await turns.take(who)
    order.push(who.caller)
    await new Promise(setImmediate)
    end()
  }
  await Promise.all([...Array.from({ length: 10 }, () => work(alice)), work(bob)])
  expect(order.indexOf('bob')).toBe(1)
  expect(order).toHaveLength(11)
})

test('however many wallets of other network addresses wait, one of another address is served soon', async () => {
  const turns = createTurns({ name: 'test', total: 4, caller: 1, network: 2, site: 2, waiting: 100 })
  const order: string[] = []
  let now = 0
  const work = async (who: Who) => {
    const end = await turns.take(who)
    order.push(who.network)
    expect(++now).toBeLessThanOrEqual(4)
    await new Promise(setImmediate)
    now--
    end()
  }
  const wallets = (network: (i: number) => string) =>
    Array.from({ length: 50 }, (_, i) => work(from(`${network(i)} ${i}`, network(i))))
  // The networks of a /48 count as one address.
  const site = (i: number) => `2001:db8:1:${i.toString(16)}::/64`
  await Promise.all([...wallets(() => 'a'), ...wallets(() => 'c'), ...wallets(site), work(bob)])
  expect(order.indexOf('b')).toBeLessThan(8)
  expect(order.slice(0, 12).filter((network) => network === 'a').length).toBeGreaterThan(2)
  expect(order).toHaveLength(151)
})

test('a line that is full refuses with 429, and only its own wallet', async () => {
  const turns = createTurns({ name: 'test', total: 2, caller: 1, network: 2, site: 2, waiting: 2 })
  const end = await turns.take(alice)
  const waiting = [turns.take(alice), turns.take(alice)]
  expect(() => turns.take(alice)).toThrow(expect.objectContaining({ status: 429, retryAfter: 1 }))
  ;(await turns.take(bob))()
  end()
  for (const next of waiting) (await next)()
})

/** Waits in a line of at most 32, in which nothing runs before `go`; then it returns the order, and who was refused. */
function openLine() {
  const turns = createTurns({
    name: 'test',
    total: 1,
    caller: 1,
    network: 1,
    site: 1,
    waiting: 100,
    waitingOfAll: 32,
  })
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const refused: string[] = []
  const waiting: Promise<void>[] = []
  const put = (caller: string, network: string) =>
    void waiting.push(
      inTurn(turns, from(caller, network), async () => {
        await gate.promise
        done.push(caller)
      }).catch(({ status }: { status: number }) => void refused.push(`${caller} ${status}`)),
    )
  const go = async () => {
    gate.resolve()
    await Promise.all(waiting)
    return { done, refused }
  }
  return { put, go }
}

test('many wallets of a network address fill a line, and another address takes the place of one of theirs', async () => {
  const { put, go } = openLine()
  for (let n = 0; n < 40; n++) put(`mallory-${n}`, `2001:db8:1:${n.toString(16)}::/64`)
  for (let n = 0; n < 3; n++) put('bob', '192.0.2.1')
  const { done, refused } = await go()
  expect(done).toHaveLength(1 + 32)
  expect(done.indexOf('bob')).toBe(1)
  expect(done.lastIndexOf('bob')).toBeLessThanOrEqual(5)
  expect(refused).toHaveLength(7 + 3)
  expect(refused.filter((one) => one.endsWith('503'))).toHaveLength(7)
})

test('the wallet with most gives way to others of its own address', async () => {
  const { put, go } = openLine()
  for (let n = 0; n < 40; n++) put('mallory', 'a')
  put('alice', 'a')
  const { done, refused } = await go()
  expect(done.indexOf('alice')).toBe(1)
  expect(refused).toEqual([...Array<string>(7).fill('mallory 503'), 'mallory 429'])
})

test('when addresses fill a line with one of each wallet, the address with most gives way', async () => {
  const { put, go } = openLine()
  for (let n = 0; n < 17; n++) for (const network of ['a', 'c']) put(`${network}-${n}`, network)
  for (let n = 0; n < 2; n++) put('bob', 'b')
  const { done, refused } = await go()
  expect(done.filter((who) => who === 'bob')).toHaveLength(2)
  expect(done.indexOf('bob')).toBeLessThanOrEqual(2)
  expect(refused).toHaveLength(3)
})

test('no share is ever exceeded, every turn that is asked for comes, and nobody waits while there is room', async () => {
  const asks = fc.array(
    fc
      .tuple(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('m', 'n'))
      .map(([caller, network]) => from(caller, network)),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  await fc.assert(
    fc.asyncProperty(asks, async (all) => {
      const turns = createTurns({ name: 'test', total: 3, caller: 2, network: 2, site: 2, waiting: 100 })
      const now: typeof all = []
      let served = 0
      await Promise.all(
        all.map(async (who) => {
          const end = await turns.take(who)
          now.push(who)
          expect(now.length).toBeLessThanOrEqual(3)
          expect(now.filter(({ caller }) => caller === who.caller).length).toBeLessThanOrEqual(2)
          expect(now.filter(({ network }) => network === who.network).length).toBeLessThanOrEqual(2)
          await new Promise(setImmediate)
          now.splice(now.indexOf(who), 1)
          served++
          end()
        }),
      )
      expect(served).toBe(all.length)
      // All room is free again.
      const end = turns.take(alice)
      expect(end).toBeTypeOf('function')
    }),
  )
})

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
    Array.from({ length: 10 }, (_, i) =>
      shares.take(networkOfAddress(`${prefix}:${i.toString(16)}::1`)!),
    ).filter(Boolean).length
  const one = Array.from({ length: 3 }, (_, i) => shares.take(networkOfAddress(`2001:db8:1:a::${i}`)!))
  expect(one.filter(Boolean)).toHaveLength(2)
  expect(open('2001:db8:1')).toBe(3)
  expect(open('2001:db8:2')).toBe(5)
  expect(shares.take('198.51.100.7')).toBeDefined()
})
