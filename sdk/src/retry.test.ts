import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { type ClientOptions, createClient } from './client.ts'

type Answer = (response: ServerResponse) => unknown

/** A server that gives one answer to each request in turn, and the last one to all that follow. */
async function serve(...answers: Answer[]) {
  const requests: { headers: IncomingHttpHeaders; body: string; at: number }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    requests.push({ headers: request.headers, body, at: performance.now() })
    answers[Math.min(requests.length, answers.length) - 1]!(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    requests,
    /** Waits shortly, where the test does not say otherwise. */
    client: (options: Partial<ClientOptions> = {}) =>
      createClient({ baseUrl, retry: { longestWait: 20 }, ...options }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const refuse =
  (status: number, code: string, retryAfter?: string): Answer =>
  (response) =>
    response
      .writeHead(status, {
        'content-type': 'application/problem+json',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      })
      .end(JSON.stringify({ type: `urn:parley:${code}`, detail: 'no' }))
const unavailable = refuse(503, 'unavailable')
const answer =
  (value: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const breakOff: Answer = (response) => response.destroy()
const breakInTheMiddle: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('[')
  setTimeout(() => response.destroy(), 20)
}

const body = { fromaddr: 'alice', toaddr: 'bob', message: 'gm' }
const pair = { fromaddr: 'alice', toaddr: 'bob' }
const bookmark = { walletaddr: 'alice', nftaddr: 'punks' }

test('a message is sent again under one key until it is answered', async () => {
  await using server = await serve(breakOff, unavailable, breakInTheMiddle, answer([{ id: 1 }]))
  expect(await server.client().sendDirectMessage({ body })).toEqual([{ id: 1 }])
  const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys).toEqual(Array(4).fill(keys[0]))
  expect(new Set(server.requests.map(({ body: sent }) => sent)).size).toBe(1)
  await server.client().sendDirectMessage({ body })
  expect(server.requests[4]!.headers['idempotency-key']).not.toBe(keys[0])
})

test("the caller's own key is kept, and nothing else gets one", async () => {
  await using server = await serve(unavailable, answer([]))
  await server.client().sendDirectMessage({ body }, { idempotencyKey: 'mine' })
  await server.client().leaveChat({ body: bookmark })
  await server.client({ retry: false }).sendDirectMessage({ body })
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'mine',
    'mine',
    undefined,
    undefined,
  ])
})

test('a deletion whose answer was lost has succeeded when the next try finds nothing', async () => {
  await using server = await serve(breakOff, refuse(404, 'not_found'))
  await server.client().deleteDirectMessage({ id: 1 })
  expect(server.requests).toHaveLength(2)
  await expect(server.client().deleteDirectMessage({ id: 1 })).rejects.toMatchObject({ status: 404 })
})

test('a deletion that was only refused before is not taken for done', async () => {
  await using server = await serve(refuse(429, 'rate_limited'), refuse(404, 'not_found'))
  await expect(server.client().deleteDirectMessage({ id: 1 })).rejects.toMatchObject({ status: 404 })
  expect(server.requests).toHaveLength(2)
})

test('Retry-After is obeyed, as seconds and as a date', async () => {
  const inTwoSeconds = () => new Date(Date.now() + 2_000).toUTCString()
  await using server = await serve(
    refuse(429, 'rate_limited', '1'),
    (response) => refuse(503, 'unavailable', inTwoSeconds())(response),
    answer([]),
  )
  const waits: number[] = []
  await server.client({ retry: { onRetry: (_, wait) => waits.push(wait) } }).listConversation(pair)
  const [first, second, third] = server.requests.map(({ at }) => at)
  expect(second! - first!).toBeGreaterThanOrEqual(990)
  // A date has no fractions of a second.
  expect(third! - second!).toBeGreaterThanOrEqual(900)
  expect(waits[0]).toBe(1_000)
})

test('when the service asks for more than the longest wait, its error is thrown at once', async () => {
  await using server = await serve(refuse(429, 'rate_limited', '3600'))
  await expect(server.client({ retry: {} }).getInbox({ address: 'alice' })).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 3600,
  })
  expect(server.requests).toHaveLength(1)
})

test('it ends after the given number of attempts, and the waits grow', async () => {
  await using server = await serve(unavailable)
  const retries: [unknown, number][] = []
  const client = server.client({
    retry: { attempts: 3, onRetry: (error, wait) => retries.push([error, wait]) },
  })
  await expect(client.isReady()).rejects.toMatchObject({ status: 503 })
  expect(server.requests).toHaveLength(3)
  expect(retries).toMatchObject([
    [{ status: 503 }, expect.any(Number)],
    [{ status: 503 }, expect.any(Number)],
  ])
  const [first, second] = retries.map(([, wait]) => wait)
  expect(first).toBeGreaterThanOrEqual(250)
  expect(first).toBeLessThanOrEqual(500)
  expect(second).toBeGreaterThanOrEqual(500)
  expect(second).toBeLessThanOrEqual(1_000)
})

test('a call that could take effect twice is repeated only when nothing was done', async () => {
  await using broken = await serve(breakOff, answer([]))
  await expect(broken.client().leaveChat({ body: bookmark })).rejects.toThrow(TypeError)
  expect(broken.requests).toHaveLength(1)

  await using away = await serve(unavailable, answer([]))
  await expect(away.client().leaveChat({ body: bookmark })).rejects.toMatchObject({ status: 503 })
  expect(away.requests).toHaveLength(1)

  await using limited = await serve(refuse(429, 'rate_limited'), answer([]))
  expect(await limited.client().leaveChat({ body: bookmark })).toEqual([])
})

test('a refusal is thrown at once, and so is anything with retry: false', async () => {
  await using server = await serve(refuse(404, 'not_found'), unavailable)
  await expect(server.client().getInbox({ address: 'a' })).rejects.toMatchObject({ status: 404 })
  await expect(server.client().getInbox({ address: 'a' }, { retry: false })).rejects.toMatchObject({
    status: 503,
  })
  await expect(server.client({ retry: false }).sendDirectMessage({ body })).rejects.toMatchObject({
    status: 503,
  })
  expect(server.requests).toHaveLength(3)
})

test('an abort ends the wait', async () => {
  await using server = await serve(refuse(503, 'unavailable', '20'))
  const stop = new AbortController()
  const waiting = server
    .client()
    .listConversation(pair, { signal: stop.signal, retry: { onRetry: () => stop.abort('enough') } })
  await expect(waiting).rejects.toBe('enough')
  expect(server.requests).toHaveLength(1)
})

test('without a connection the wait ends when the browser is online again, but not what the service asks for', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  try {
    await using server = await serve(breakOff, refuse(503, 'unavailable', '1'), answer([]))
    const begun = performance.now()
    const online = () => setTimeout(() => page.dispatchEvent(new Event('online')), 10)
    await server.client({ retry: { onRetry: online } }).listConversation(pair)
    const [first, second, third] = server.requests.map(({ at }) => at - begun)
    expect(second! - first!).toBeLessThan(240)
    expect(third! - second!).toBeGreaterThanOrEqual(990)
  } finally {
    vi.unstubAllGlobals()
  }
})

test('the options are read for each try, so that a token may be a getter', async () => {
  await using server = await serve(unavailable, answer([]))
  let token = 'old'
  const client = createClient({
    baseUrl: server.baseUrl,
    get token() {
      return token
    },
    retry: { onRetry: () => (token = 'new') },
  })
  await client.listConversation(pair)
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
})
