// What hostile or broken clients can do over a socket.

import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newWallet, type Service, startService, useService } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'

const service = useService()
const hasty = useService({ beside: service, headersTimeout: 1, requestTimeout: 2 })

const alice = newWallet()

/**
 * A raw connection; `received` is what came back, `closed` when the service ended it, after how many
 * ms.
 */
async function connectTo(on: Service) {
  const { hostname: host, port } = new URL(await on.listen())
  return { host, port: Number(port) }
}

function dial(at: { host: string; port: number }) {
  const socket = net.connect(at)
  const started = performance.now()
  let received = ''
  socket.on('data', (data) => (received += data)).on('error', () => {})
  const closed = new Promise<{ received: string; ms: number }>((resolve) =>
    socket.on('close', () => resolve({ received, ms: performance.now() - started })),
  )
  return { socket, closed }
}

const post = async ({ ctx }: Service, more: string) =>
  `POST /v1/create_chatitem HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await issueToken(ctx, alice)}\r\nContent-Type: application/json\r\n${more}\r\n`

test('a client that sends nothing, or slow headers or a slow body, gets 408 and is cut off', async () => {
  const at = await connectTo(hasty)
  const slow = [dial(at), dial(at), dial(at)] as const
  const head = await post(hasty, 'Content-Length: 1000\r\n')
  slow[1].socket.write('GET /users/abc/nonce HTTP/1.1\r\n')
  slow[2].socket.write(head)
  const slowly = setInterval(() => {
    slow[1].socket.write('x-a: b\r\n')
    slow[2].socket.write(' ')
  }, 200)
  const [silent, headers, body] = await Promise.all(slow.map(({ closed }) => closed))
  clearInterval(slowly)
  expect(silent!.ms).toBeLessThan(4_000)
  for (const { received, ms } of [headers!, body!]) {
    expect(received).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*application\/problem\+json[\s\S]*docs\/errors#request_timeout/,
    )
    expect(ms).toBeLessThan(6_000)
  }
})

test('two hundred slow connections do not keep others out', async () => {
  const at = await connectTo(hasty)
  const slow = Array.from({ length: 200 }, () => dial(at))
  for (const { socket } of slow) socket.write('POST /signin HTTP/1.1\r\nHost: x\r\nX: ')
  const started = performance.now()
  expect((await fetch(`http://${at.host}:${at.port}/users/abc/nonce`)).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(1_000)
  await Promise.all(slow.map(({ closed }) => closed))
})

test('a chunked body that is too large is cut off at the limit, however it is spread', async () => {
  const at = await connectTo(service)
  const { socket, closed } = dial(at)
  socket.write(await post(service, 'Transfer-Encoding: chunked\r\n'))
  let sent = 0
  while (socket.writable && sent < 50e6) {
    sent += 10_000
    if (!socket.write(`2710\r\n${'x'.repeat(10_000)}\r\n`)) await sleep(1)
  }
  const { received } = await closed
  expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*docs\/errors#payload_too_large/)
  expect(sent).toBeLessThan(50e6)
  // A length that is too large is refused before anything of it is read.
  const announced = dial(at)
  announced.socket.write(await post(service, 'Content-Length: 999999999\r\nConnection: close\r\n'))
  expect((await announced.closed).received).toMatch(/^HTTP\/1\.1 413 /)
})

const small = useService({ beside: service, maxConnections: 2 })

test('beyond MAX_CONNECTIONS a connection is closed, and those there are go on', async () => {
  const at = await connectTo(small)
  const [one, two] = [dial(at), dial(at)]
  await sleep(50)
  const third = dial(at)
  expect((await third.closed).received).toBe('')
  one.socket.write('GET /users/abc/nonce HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect((await one.closed).received).toMatch(/^HTTP\/1\.1 200 /)
  two.socket.destroy()
})

test('a client that breaks off in a body is no failure of the service or its database', async () => {
  const logged: string[] = []
  const metricsToken = 'a-token-for-metrics-that-is-long-enough'
  const logTo = { write: (line: string) => void logged.push(line) }
  await using own = await startService({ beside: service, logLevel: 'info', logTo, metricsToken })
  // Other tests of this process are counted too.
  const failed = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const { body } = await own.app.inject({ url: '/metrics', headers })
    return /^parley_request_seconds_count.*route="\/v1\/create_chatitem",status="503"\} (\d+)/m.exec(
      body,
    )?.[1]
  }
  const before = await failed()
  const at = await connectTo(own)
  for (const length of ['Content-Length: 1000\r\n', 'Transfer-Encoding: chunked\r\n']) {
    const { socket, closed } = dial(at)
    socket.write(`${await post(own, length)}5\r\n{"fro`)
    await sleep(100)
    socket.resetAndDestroy()
    await closed
  }
  await sleep(200)
  expect(logged.filter((line) => /database|"level":[45]0/.test(line))).toEqual([])
  expect(await failed()).toBe(before)
})

test('HEAD gets no body, also where the request is malformed or its headers are too large', async () => {
  const at = await connectTo(service)
  const large = `X: ${'x'.repeat(40_000)}`
  const ask = async (...parts: string[]) => {
    const { socket, closed } = dial(at)
    for (const part of parts) {
      socket.write(part)
      await sleep(50)
    }
    const [head = '', body] = (await closed).received.split('\r\n\r\n')
    return { head, body }
  }
  for (const parts of [
    [`HEAD / HTTP/1.1\r\nHost: x\r\n${large}\r\n\r\n`],
    ['HEAD / HTTP/1.1\r\nHost: x\r\n', `${large}\r\n\r\n`],
  ]) {
    const { head, body } = await ask(...parts)
    expect(head).toMatch(/^HTTP\/1\.1 431 .*\r\n/)
    expect(body).toBe('')
  }
  expect((await ask('HEAD / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n')).body).toBe('')
  const get = await ask(`GET / HTTP/1.1\r\nHost: x\r\n${large}\r\n\r\n`)
  expect(get.body).toContain('/docs/errors#headers_too_large')
})

test('two lengths, or a length and chunks, are no request: nothing can be hidden in one', async () => {
  const at = await connectTo(service)
  for (const lengths of [
    'Content-Length: 5\r\nContent-Length: 6\r\n',
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked, gzip\r\n',
  ]) {
    const { socket, closed } = dial(at)
    socket.write(`${await post(service, `${lengths}Connection: close\r\n`)}0\r\n\r\n`)
    expect((await closed).received, lengths).toMatch(/^HTTP\/1\.1 4\d\d /)
  }
})

const atAddress = useService({ beside: service, publicUrl: 'https://chat.example.org' })

test('every answer forbids sniffing, framing and scripts; what belongs to a wallet is not kept', async () => {
  const headers = { authorization: `Bearer ${await issueToken(atAddress.ctx, alice)}` }
  for (const url of ['/users/abc/nonce', `/v1/get_inbox/${alice}`, '/nowhere', '/healthz']) {
    const answer = await atAddress.app.inject({ url, headers })
    expect(answer.headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.stringContaining('max-age='),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(answer.headers['x-powered-by'] ?? answer.headers.server, url).toBeUndefined()
  }
  const inbox = await atAddress.app.inject({ url: `/v1/get_inbox/${alice}`, headers })
  expect(inbox.headers['cache-control']).toBe('no-store')
  // What says something about pages alone is in no JSON.
  expect(inbox.headers['cross-origin-opener-policy']).toBeUndefined()
  const page = await atAddress.app.inject({ url: '/docs/index.html' })
  expect(page.headers['cross-origin-opener-policy']).toBe('same-origin')
})

test('two Host headers are no request', async () => {
  const at = await connectTo(service)
  for (const [hosts, status] of [
    ['Host: x', '200'],
    ['Host: x\r\nHost: y', '400'],
    ['Host: x\r\nhOST: x', '400'],
  ] as const)
    for (const path of ['/healthz', '/users/abc/nonce', '/nowhere']) {
      const { socket, closed } = dial(at)
      socket.write(`GET ${path} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)
      const expected = status === '200' && path === '/nowhere' ? '404' : status
      expect((await closed).received).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `))
    }
})
