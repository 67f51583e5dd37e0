import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newToken, newWallet, type Service, startService } from '../../../testing/service/service.ts'
import { compressAnswers } from './compress.ts'

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
const encodings = ['br', 'gzip'] as const

let service: Service
const alice = newWallet()
let authorization: string
beforeAll(async () => {
  service = await startService()
  authorization = `Bearer ${await newToken(service.ctx, alice)}`
  for (const peer of Array.from({ length: 12 }, newWallet)) {
    const client = await service.as(peer)
    await client.sendDirectMessage({ body: { fromaddr: peer, toaddr: alice, message: 'gm '.repeat(60) } })
  }
})
afterAll(() => service[Symbol.asyncDispose]())

const ask = (url: string, accepted?: string) =>
  service.app.inject({
    url,
    headers: { authorization, ...(accepted !== undefined && { 'accept-encoding': accepted }) },
  })

test.each(encodings)('an inbox is sent as %s to who takes that, and is the same', async (encoding) => {
  const url = `/v1/get_inbox/${alice}`
  const plain = await ask(url)
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  const packed = await ask(url, `${encoding}, deflate`)
  expect(packed.headers).toMatchObject({
    'content-encoding': encoding,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(packed.rawPayload.length),
    vary: 'Accept-Encoding',
  })
  expect(unpack[encoding](packed.rawPayload).toString()).toBe(plain.body)
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
  expect((await ask(url, 'gzip;q=0, identity')).headers['content-encoding']).toBeUndefined()
})

test('the same answer has many lengths, so that its length says little of its content', async () => {
  const lengthOf = async () => {
    const { headers, rawPayload } = await ask(`/v1/get_inbox/${alice}`, 'gzip')
    return rawPayload.length + Object.values(headers).join().length
  }
  const lengths = []
  for (let n = 0; n < 40; n++) lengths.push(await lengthOf())
  expect(new Set(lengths).size).toBeGreaterThan(20)
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan(100)
})

test.each(encodings)(
  'a long list is sent as %s in parts, each of which can be read when it is there',
  async (encoding) => {
    const bob = newWallet()
    const asAlice = await service.as(alice)
    for (let n = 0; n < 20; n++)
      await asAlice.sendDirectMessage({
        body: { fromaddr: alice, toaddr: bob, message: `${n} ${'long '.repeat(12_000)}` },
      })
    const url = `/v1/getall_chatitems/${alice}/${bob}`
    const plain = await ask(url)
    const packed = await ask(url, encoding)
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'transfer-encoding': 'chunked',
      vary: 'Accept-Encoding',
    })
    expect(unpack[encoding](packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 20)

    const response = await fetch(`${await service.listen()}${url}`, {
      headers: { authorization, 'accept-encoding': encoding },
    })
    expect(await response.text()).toBe(plain.body)
  },
)

test('what is short, is compressed already, is no text, or comes with a token is sent as it is', async () => {
  await using stack = new AsyncDisposableStack()
  const app = stack.adopt(fastify(), (it) => it.close())
  compressAnswers(app)
  const long = JSON.stringify('gm '.repeat(1000))
  const answers: Record<string, [type: string, body: string | Buffer | Readable, headers?: object]> = {
    json: ['application/json; charset=utf-8', long],
    problem: ['application/problem+json', long],
    bytes: ['application/json', Buffer.from(long)],
    longer: ['text/plain', long.repeat(20)],
    short: ['application/json', 'x'.repeat(1023)],
    token: ['application/json', long, { authorization: 'Bearer x' }],
    jwt: ['application/jwt', long],
    packed: ['application/json', long, { 'content-encoding': 'zstd' }],
    page: ['text/html', long],
    picture: ['image/png', long],
    events: ['text/event-stream', Readable.from([long])],
  }
  for (const [name, [type, body, headers = {}]] of Object.entries(answers))
    app.get(`/${name}`, (_request, reply) =>
      reply
        .headers(headers as Record<string, string>)
        .type(type)
        .send(body),
    )
  const packed = []
  for (const name of Object.keys(answers)) {
    const { headers, rawPayload } = await app.inject({
      url: `/${name}`,
      headers: { 'accept-encoding': 'gzip' },
    })
    if (headers['content-encoding'] !== 'gzip') continue
    expect(gunzipSync(rawPayload).equals(Buffer.from(name === 'longer' ? long.repeat(20) : long))).toBe(true)
    packed.push(name)
  }
  expect(packed).toEqual(['json', 'problem', 'bytes', 'longer'])
  const head = await app.inject({ method: 'HEAD', url: '/json', headers: { 'accept-encoding': 'gzip' } })
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
})

test('a limit of bytes counts what is sent, not what it was made from', async () => {
  await using limited = await startService({ rateLimits: true, bytesLimit: { burst: 100, perSecond: 0.001 } })
  const client = await limited.as(alice)
  for (let n = 0; n < 3; n++)
    await client.sendDirectMessage({
      body: { fromaddr: alice, toaddr: alice, message: 'gm '.repeat(20_000) },
    })
  const url = `${await limited.listen()}/v1/getall_chatitems/${alice}/${alice}`
  const headers = { authorization: `Bearer ${await newToken(limited.ctx, alice)}` }
  for (let n = 0; n < 20; n++) {
    const response = await fetch(url, { headers: { ...headers, 'accept-encoding': 'gzip' } })
    expect([response.status, (await response.text()).length > 180_000]).toEqual([200, true])
  }
  const statuses = []
  for (let n = 0; n < 3; n++) {
    const response = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } })
    statuses.push(response.status)
    await response.text()
  }
  expect(statuses).toEqual([200, 429, 429])
})
