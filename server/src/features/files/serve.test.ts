import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { upload } from '../../../../testing/people/uploading.ts'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import { newToken, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const painted = sharp({ create: { width: 30, height: 30, channels: 3, background: { r: 1, g: 2, b: 3 } } })

async function served(bytes: Uint8Array<ArrayBuffer>, about: { name?: string; sealed?: boolean } = {}) {
  const address = newWallet()
  const client = await service.as(address)
  const file = await upload(client, { toaddr: newWallet(), ...about }, bytes)
  const authorization = `Bearer ${await newToken(service.ctx, address)}`
  const url = `/v1/files/${file.id}`
  return {
    address,
    file,
    url,
    get: (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      service.app.inject({ method, url, headers: { authorization, ...headers } }),
  }
}

test('a picture is shown, and what may hold a script is saved; neither has an origin', async () => {
  const pictures = await Promise.all(
    (['png', 'jpeg', 'gif', 'webp', 'avif'] as const).map(
      async (format) => [`image/${format}`, await painted.clone()[format]().toBuffer()] as const,
    ),
  )
  for (const [type, bytes] of pictures) {
    const { get, file } = await served(new Uint8Array(bytes), { name: 'garden' })
    expect(file.type).toBe(type)
    expect((await get()).headers).toMatchObject({
      'content-type': type,
      'content-disposition': 'inline; filename=garden',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
    })
  }
  const others = [
    '<!doctype html><script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    '%PDF-1.7',
    'PK\u0003\u0004',
  ].map((text) => new Uint8Array(Buffer.from(text)))
  for (const bytes of [...others, randomBytes(5000)]) {
    const { get } = await served(bytes, { name: 'a.html' })
    const answer = await get()
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=a.html',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(answer.rawPayload).toEqual(Buffer.from(bytes))
  }
})

test('a sealed file comes as bytes, whatever they look like', async () => {
  const { get, file } = await served(new Uint8Array(await painted.clone().png().toBuffer()), { sealed: true })
  expect(file).not.toHaveProperty('type')
  expect((await get()).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
  })
})

test('a name in any script is one name, and no header', async () => {
  const { get } = await served(randomBytes(10), { name: `ga"rt;en ü 花.png` })
  const header = (await get()).headers['content-disposition']
  expect(header).toContain(`filename*=UTF-8''ga%22rt%3Ben%20%C3%BC%20%E8%8A%B1.png`)
})

test('one range is answered with its bytes, and any other with all or with 416', async () => {
  // Two parts have a border at 4 MiB.
  const bytes = randomBytes(4 * 2 ** 20 + 1000)
  const { get, file } = await served(bytes)
  const size = bytes.length
  const border = 4 * 2 ** 20
  const partial = async (range: string, from: number, to: number) => {
    const answer = await get({ range })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${to}/${size}`])
    expect(answer.headers['content-length']).toBe(String(to - from + 1))
    expect(answer.rawPayload.equals(bytes.subarray(from, to + 1)), range).toBe(true)
  }
  await partial('bytes=0-0', 0, 0)
  await partial('bytes=10-19', 10, 19)
  await partial(`bytes=${border - 5}-${border + 4}`, border - 5, border + 4)
  await partial(`bytes=${border}-`, border, size - 1)
  await partial('bytes=-7', size - 7, size - 1)
  await partial(`bytes=${size - 3}-999999999999`, size - 3, size - 1)
  await partial(`bytes=-${size * 2}`, 0, size - 1)
  for (const range of [`bytes=${size}-`, `bytes=${size * 2}-${size * 3}`, 'bytes=-0']) {
    const answer = await get({ range })
    expect([answer.statusCode, answer.headers['content-range']], range).toEqual([416, `bytes */${size}`])
    expect(answer.json().type).toBe('/docs/errors#range_not_satisfiable')
  }
  for (const range of [
    'bytes=0-1,5-6',
    'bytes=-',
    'lines=1-2',
    'bytes',
    'bytes=a-b',
    'bytes=9-1',
    `bytes=${'9'.repeat(400)}x-`,
  ]) {
    const answer = await get({ range })
    expect([answer.statusCode, answer.rawPayload.length], range).toEqual([200, size])
  }
  const etag = `"${file.id}"`
  expect((await get({ range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206)
  expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).rawPayload).toHaveLength(size)
  const known = await get({ 'if-none-match': etag })
  expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0])
  const head = await get({}, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
    200,
    String(size),
    0,
  ])
})

test('a file is read with a header alone, and by an API key that reads messages', async () => {
  const { url, address, get } = await served(randomBytes(10))
  const token = await newToken(service.ctx, address)
  expect((await service.app.inject(`${url}?token=${token}&access_token=${token}`)).statusCode).toBe(401)
  const statusWith = async (scope: 'inbox:read' | 'chat:read' | 'dm:send') => {
    const secret = await newApiKeyOf(service, address, [scope])
    return (await get({ authorization: `Bearer ${secret}` })).statusCode
  }
  expect([
    await statusWith('inbox:read'),
    await statusWith('chat:read'),
    await statusWith('dm:send'),
  ]).toEqual([200, 403, 403])
})
