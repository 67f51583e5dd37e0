// Two instances share a cluster of NATS with three servers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenTo } from '../../../testing/event-listener.ts'
import { noNats, startNatsCluster } from '../../../testing/nats-cluster.ts'
import { newWallet, type Service, startService } from '../../../testing/service.ts'
import { busConnected, looks } from '../telemetry/metrics.ts'

const stack = new AsyncDisposableStack()
let cluster: Awaited<ReturnType<typeof startNatsCluster>>

const looksFrom = async (from: string) =>
  (await looks.get()).values.find(({ labels }) => labels.from === from)?.value ?? 0

/** Both instances of this process have set it; the last change counts. */
const isConnected = async () => (await busConnected.get()).values[0]?.value === 1

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `${from + n}`)

/** Opens two instances on one database, with an open stream of one wallet on each, and a sender of messages. */
async function openTwo() {
  const open = new AsyncDisposableStack()
  const natsUrl = cluster.url.split(',')
  const natsPrefix = newWallet()
  const one = open.use(await startService({ natsUrl, natsPrefix }))
  const other = open.use(await startService({ natsUrl, natsPrefix, beside: one }))
  const wallet = newWallet()
  const listeners = [open.use(await listenTo(one, wallet)), open.use(await listenTo(other, wallet))]
  let sent = 0
  const sendOn = async (service: Service, count: number) => {
    const sender = newWallet()
    const client = await service.as(sender)
    for (let n = 0; n < count; n++)
      await client.sendDirectMessage({
        body: { fromaddr: sender, toaddr: wallet, message: String(sent++) },
      })
  }
  return {
    one,
    other,
    sendOn,
    /** All sent messages have come on both streams, each once, those of each sender in order. */
    async allCame() {
      for (const listener of listeners) {
        await listener.receives(sent)
        const came = listener.messages()
        expect(came.toSorted((x, y) => Number(x) - Number(y))).toEqual(numbers(0, sent))
        const bySender = Map.groupBy(listener.events(), (event) =>
          'item' in event ? event.item.fromaddr : '',
        )
        expect(bySender.size).toBeGreaterThan(1)
        for (const events of bySender.values()) {
          const texts = events.flatMap((event) => ('item' in event ? [Number(event.item.message)] : []))
          expect(texts).toEqual(texts.toSorted((x, y) => x - y))
        }
      }
    },
    /** Sends until poll results come by the bus. */
    async busIsUsed() {
      const before = await looksFrom('bus')
      await expect
        .poll(
          async () => {
            await sendOn(other, 1)
            await sendOn(one, 1)
            return looksFrom('bus')
          },
          { timeout: 20_000, interval: 50 },
        )
        .toBeGreaterThan(before)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

describe.skipIf(noNats !== undefined)(noNats ?? 'with NATS', () => {
  beforeAll(async () => void (cluster = stack.use(await startNatsCluster())))
  afterAll(() => stack.disposeAsync())

  test('what is written on one instance comes on the other one by the bus, once', async () => {
    await using two = await openTwo()
    await two.busIsUsed()
    const [bus, database] = [await looksFrom('bus'), await looksFrom('database')]
    for (let n = 0; n < 20; n++) {
      await two.sendOn(two.one, 3)
      await two.sendOn(two.other, 3)
    }
    await two.allCame()
    expect((await looksFrom('bus')) - bus).toBeGreaterThan(10)
    expect((await looksFrom('database')) - database).toBeGreaterThan(0)
  })

  test('one server killed, all killed, all back: nothing is missed, nothing comes twice', async () => {
    await using two = await openTwo()
    await two.busIsUsed()
    const state = { sending: true }
    const sending = [two.one, two.other].map(async (service) => {
      while (state.sending) await two.sendOn(service, 2)
    })
    await cluster.kill(0)
    await new Promise((resolve) => setTimeout(resolve, 500))
    await Promise.all([cluster.kill(1), cluster.kill(2)])
    await expect.poll(isConnected, { timeout: 10_000 }).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 500))
    await Promise.all([0, 1, 2].map((n) => cluster.start(n)))
    await expect.poll(isConnected, { timeout: 20_000 }).toBe(true)
    await two.busIsUsed()
    state.sending = false
    await Promise.all(sending)
    await two.allCame()
  })

  test('an instance that ends leaves the reading to the other one', async () => {
    await using two = await openTwo()
    await two.busIsUsed()
    await two.one.ctx.events[Symbol.asyncDispose]()
    const sender = newWallet()
    await using listener = await listenTo(two.other, sender)
    const client = await two.other.as(sender)
    const since = performance.now()
    await client.sendDirectMessage({ body: { fromaddr: sender, toaddr: newWallet(), message: 'last' } })
    await listener.receives(1)
    expect(listener.messages()).toEqual(['last'])
    expect(performance.now() - since).toBeLessThan(900)
  })
})
