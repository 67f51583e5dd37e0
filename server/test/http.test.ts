import net from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { newWallet, useService } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'

let headers: Record<string, string>
const alice = newWallet()
const service = useService()
beforeAll(async () => {
  headers = {
    authorization: `Bearer ${await issueToken(service.ctx, alice)}`,
    'content-type': 'application/json',
  }
})

const post = (payload: string | Buffer, more: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/create_chatitem',
    payload,
    headers: { ...headers, ...more },
  })
const body = (message: string) => JSON.stringify({ fromaddr: alice, toaddr: 'bob', message })

test('an error says which value is wrong and what a right one looks like', async () => {
  const answer = await post(JSON.stringify({ fromaddr: alice, message: 5 }))
  expect(answer.statusCode).toBe(400)
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(answer.json()).toEqual({
    type: '/docs/errors#bad_request',
    title: 'Bad Request',
    status: 400,
    detail: expect.stringMatching(/^toaddr is required: an address: 0x and 40 hexadecimal digits/),
    request_id: expect.any(String),
    errors: [
      { pointer: '/body/toaddr', detail: expect.stringContaining('is required') },
      { pointer: '/body/message', detail: expect.stringContaining('must be of type string') },
    ],
  })
})

test.each([
  ['no JSON', '{"message":'],
  ['nothing', ''],
  ['an array', '[]'],
  ['null', 'null'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['a polluting key', '{"__proto__":{"fromaddr":"x"},"constructor":{"prototype":{"a":1}}}'],
])('%s as a body is 400', async (_what, payload) => {
  const answer = await post(payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().detail).toMatch(/JSON|required|object/)
})

test('a key that is named twice: the same one is authorised and stored', async () => {
  const eve = newWallet()
  const answer = await post(`{"fromaddr":"${alice}","toaddr":"bob","message":"hi","fromaddr":"${eve}"}`)
  expect(answer.statusCode).toBe(403)
  const own = await post(`{"fromaddr":"${eve}","toaddr":"bob","message":"hi","fromaddr":"${alice}"}`)
  expect(own.json()[0].fromaddr).toBe(alice)
})

test('text/plain is read as JSON; other types and encodings are 415', async () => {
  expect((await post(body('hi'), { 'content-type': 'text/plain' })).statusCode).toBe(200)
  expect((await post(body('hi'), { 'content-type': 'application/json; charset=utf-8' })).statusCode).toBe(200)
  expect((await post(body('hi'), { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(
    415,
  )
  expect((await post(body('hi'), { 'content-type': 'application/xml' })).statusCode).toBe(415)
  expect((await post(body('hi'), { 'content-encoding': 'gzip' })).statusCode).toBe(415)
})

test('a body over the limit is 413, a URL over 8 KiB is 414', async () => {
  expect((await post(`"${'x'.repeat(256 * 1024)}"`)).statusCode).toBe(413)
  const url = `/v1/get_inbox/${'a'.repeat(9000)}`
  const long = await service.app.inject({ url, headers })
  expect(long.statusCode).toBe(414)
  expect(long.json().type).toBe('/docs/errors#uri_too_long')
})

test('an unknown path is 404, a known one with another method 405 with Allow', async () => {
  expect((await service.app.inject('/v2/nothing')).statusCode).toBe(404)
  const answer = await service.app.inject({ method: 'DELETE', url: '/v1/create_chatitem' })
  expect(answer.statusCode).toBe(405)
  expect(answer.headers.allow).toBe('POST')
  expect((await service.app.inject({ method: 'POST', url: '/users/abc/nonce' })).headers.allow).toBe(
    'GET, HEAD',
  )
})

const listOf = (header: unknown) => String(header).split(/, */)

test('any site may call with a token, and can read what it needs, errors included', async () => {
  const origin = 'https://site.example'
  const preflight = await service.app.inject({
    method: 'OPTIONS',
    url: '/v1/create_chatitem',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key,range,if-none-match,if-range',
    },
  })
  expect(preflight.statusCode).toBe(204)
  expect(listOf(preflight.headers['access-control-allow-headers'])).toEqual(
    expect.arrayContaining(['Authorization', 'Idempotency-Key', 'Range', 'If-None-Match', 'If-Range']),
  )
  for (const url of ['/users/abc/nonce', '/v1/get_inbox/abc', '/nowhere', '/users/%ff/nonce']) {
    const answer = await service.app.inject({ url, headers: { origin } })
    expect(answer.headers['access-control-allow-origin'], url).toBe('*')
    expect(answer.headers['access-control-allow-credentials'], url).toBeUndefined()
    expect(answer.headers['x-content-type-options'], url).toBe('nosniff')
  }
  const { headers: exposed } = await service.app.inject({ url: '/users/abc/nonce', headers: { origin } })
  expect(listOf(exposed['access-control-expose-headers'])).toEqual(
    expect.arrayContaining([
      'Authorization',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Idempotency-Replayed',
      'Content-Range',
      'ETag',
      'Content-Disposition',
      'Accept-Ranges',
    ]),
  )
})

const strict = useService({ beside: service, corsOrigins: ['https://good.example'] })

test('a list of origins is exact, and other origins get no permission', async () => {
  for (const url of ['/users/abc/nonce', '/users/%ff/nonce']) {
    const good = await strict.app.inject({ url, headers: { origin: 'https://good.example' } })
    expect(good.headers).toMatchObject({
      'access-control-allow-origin': 'https://good.example',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    const evil = await strict.app.inject({ url, headers: { origin: 'https://good.example.evil.example' } })
    expect(evil.headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('the docs are a page with its own assets and a strict policy', async () => {
  const page = await service.app.inject('/docs/index.html')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toMatch(/^text\/html/)
  expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/)
  expect(page.headers['content-security-policy']).not.toContain('unsafe-inline')
  expect((await service.app.inject('/docs/index.html/json')).json().openapi).toBe('3.1.0')
  const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  expect(assets.length).toBeGreaterThan(4)
  for (const path of assets) expect((await service.app.inject(path)).statusCode, path).toBe(200)
  // Names with the hash of the content may be kept without end.
  const hashed = assets.filter((path) => /[?&]v=|^\/assets\//.test(path))
  expect(hashed.length).toBeGreaterThan(3)
  for (const path of hashed)
    expect((await service.app.inject(path)).headers['cache-control'], path).toMatch(
      /max-age=31536000.*immutable/,
    )
  const { openapi, components } = (await service.app.inject('/docs/json')).json()
  expect(openapi).toBe('3.1.0')
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['ChatItem', 'InboxItem', 'Problem']),
  )
})

test('the files of the docs are sent compressed, and not again to who has them', async () => {
  const url = '/docs/static/swagger-ui-bundle.js'
  const get = (asked: Record<string, string> = {}) => service.app.inject({ url, headers: asked })
  const plain = await get()
  expect(plain.headers['content-type']).toMatch(/^text\/javascript/)
  expect(plain.headers['content-encoding']).toBeUndefined()
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const packed = await get({ 'accept-encoding': accepted })
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'Accept-Encoding',
      etag: plain.headers.etag,
    })
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    expect(unpack(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  }
  expect((await get({ 'accept-encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding']).toBeUndefined()
  const known = await get({ 'if-none-match': String(plain.headers.etag), 'accept-encoding': 'br' })
  expect([known.statusCode, known.body]).toEqual([304, ''])
})

test('malformed HTTP gets a 4xx and the service goes on', async () => {
  const { port, hostname } = new URL(await service.listen())
  const say = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = net.connect({ port: Number(port), host: hostname }, () => socket.end(text))
      socket
        .on('data', (data) => (received += data))
        .on('close', () => resolve(received))
        .on('error', reject)
    })
  expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/)
  expect(await say(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 [\s\S]*docs\/errors#headers_too_large/,
  )
  expect(await say(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 414 /,
  )
  expect((await fetch(`http://${hostname}:${port}/users/abc/nonce`)).status).toBe(200)
})
