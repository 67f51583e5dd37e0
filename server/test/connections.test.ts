// What one network address can take of the connections that all share.

import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newWallet, type Service, startService, useService } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'

const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'

/**
 * Opens connections from an address of this machine, and sends something over each. It waits until all of them but `silent` ones,
 * which get no answer, are answered or closed.
 */
async function openFrom(
  service: Service,
  localAddress: string,
  count: number,
  { text = `${health}\r\n`, silent = 0 } = {},
) {
  const { hostname: host, port } = new URL(await service.listen())
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = net.connect({ host, port: Number(port), localAddress })
      const state = { socket, received: '' }
      socket.on('data', (data) => (state.received += data)).on('error', () => {})
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      socket.write(text)
      return state
    }),
  )
  const isOpen = ({ socket }: { socket: net.Socket }) => !socket.destroyed && !socket.readableEnded
  const settled = () => sockets.filter((one) => one.received !== '' || !isOpen(one)).length
  await expect.poll(settled, { timeout: 20_000 }).toBeGreaterThanOrEqual(count - silent)
  if (silent > 0) await sleep(300)
  const answered = (status: number) =>
    sockets.filter(({ received }) => received.startsWith(`HTTP/1.1 ${status} `))
  return {
    open: () => sockets.filter(isOpen).length,
    answered: (status: number) => answered(status).length,
    texts: (status: number) => answered(status).map(({ received }) => received),
    [Symbol.dispose]: () => sockets.forEach(({ socket }) => socket.destroy()),
  }
}

/** Waits until the service has no other connections than some that are open. */
const left = (service: Service, open: number) =>
  expect
    .poll(
      () => new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count))),
      { timeout: 20_000 },
    )
    .toBeLessThanOrEqual(open)

test('one address with idle connections does not keep a newcomer out, and the log says it once', async () => {
  const logged: string[] = []
  await using service = await startService({
    rateLimits: true,
    maxConnections: 40,
    connectionShare: 50,
    logLevel: 'warn',
    logTo: { write: (line) => void logged.push(line) },
  })
  using greedy = await openFrom(service, '127.0.0.2', 100)
  expect([greedy.open(), greedy.answered(200)]).toEqual([20, 20])
  using newcomer = await openFrom(service, '127.0.0.1', 6)
  expect(newcomer.answered(200)).toBe(6)
  expect(logged.filter((line) => line.includes('MAX_CONNECTIONS_SHARE'))).toHaveLength(1)

  // What has closed makes room.
  greedy[Symbol.dispose]()
  await left(service, newcomer.open())
  using later = await openFrom(service, '127.0.0.2', 20)
  expect(later.answered(200)).toBe(20)
})

const behindProxy = useService({
  rateLimits: true,
  maxConnections: 200,
  staticLimit: { burst: 20, perSecond: 1 },
  readLimit: { burst: 20, perSecond: 1 },
  trustedProxies: ['127.0.0.0/30'],
})

test('a trusted proxy may have all connections; the share is one of requests for each forwarded address', async () => {
  const slow = async (from: string) =>
    `POST /v1/create_chatitem HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nAuthorization: Bearer ${await issueToken(behindProxy.ctx, newWallet())}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`
  using one = await openFrom(behindProxy, '127.0.0.2', 30, { text: await slow('203.0.113.1'), silent: 16 })
  expect(one.answered(429)).toBe(14)
  expect(one.texts(429)[0]).toMatch(
    /retry-after: 1\r\n[\s\S]*Your network address has 16 requests under way\./i,
  )
  using other = await openFrom(behindProxy, '127.0.0.2', 16, { text: await slow('203.0.113.2'), silent: 16 })
  expect(other.answered(429)).toBe(0)
  using proxy = await openFrom(behindProxy, '127.0.0.2', 50)
  expect(proxy.answered(200)).toBe(50)
  // A client that only says that it is a proxy counts like any other.
  using stranger = await openFrom(behindProxy, '127.0.0.9', 30, {
    text: `${health}X-Forwarded-For: 203.0.113.3\r\n\r\n`,
  })
  expect(stranger.answered(200)).toBe(16)
  one[Symbol.dispose]()
  await left(behindProxy, other.open() + proxy.open() + stranger.open())
  using again = await openFrom(behindProxy, '127.0.0.2', 16, { text: await slow('203.0.113.1'), silent: 16 })
  expect(again.answered(429)).toBe(0)
})

test('a proxy sends requests of several addresses over one connection, and each has its own budget', async () => {
  const ask = (from: string) => `GET /users/abc/nonce HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n\r\n`
  const text = ask('203.0.113.8').repeat(9) + ask('203.0.113.9')
  using proxy = await openFrom(behindProxy, '127.0.0.2', 1, { text })
  const counted = () =>
    proxy
      .texts(200)[0]!
      .matchAll(/^ratelimit: "read-anonymous";r=(\d+)/gim)
      .toArray()
  await expect.poll(counted).toHaveLength(10)
  expect([counted()[0]![1], counted()[9]![1]]).toEqual(['19', '19'])
})

const unlimited = useService({ rateLimits: false, maxConnections: 40 })

test('RATE_LIMITS=off counts no address', async () => {
  using all = await openFrom(unlimited, '127.0.0.2', 40)
  expect(all.answered(200)).toBe(40)
})
