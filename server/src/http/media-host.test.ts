import { randomBytes } from 'node:crypto'
import { contract } from '@parley/sdk/contract/index.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { expect, test } from 'vitest'
import { upload } from '../../../testing/people/uploading.ts'
import { newToken, newWallet, startService } from '../../../testing/service/service.ts'
import { readConfig } from '../config/settings.ts'

const mediaUrl = 'https://files.example.org'
const open = (more: object = {}) => startService({ publicUrl: 'https://chat.example.org', mediaUrl, ...more })

test('the host for files has files and nothing else, and the other host has all as before', async () => {
  await using service = await open()
  const wallet = newWallet()
  const bytes = randomBytes(1000)
  const { id } = await upload(await service.as(wallet), { toaddr: newWallet() }, bytes)
  const authorization = `Bearer ${await newToken(service.ctx, wallet)}`
  const ask = (url: string, host = 'files.example.org', method: 'GET' = 'GET', more: object = {}) =>
    service.app.inject({ method, url, headers: { host, authorization, ...more } })
  for (const host of [
    'files.example.org',
    'FILES.example.org:443',
    'files.example.org.',
    'chat.example.org',
  ]) {
    const got = await ask(`/v1/files/${id}`, host)
    expect([got.statusCode, got.rawPayload.equals(bytes)], host).toEqual([200, true])
    expect((await ask('/healthz', host)).statusCode).toBe(200)
  }
  expect((await ask(`/v1/files/${id}`, undefined, 'GET', { range: 'bytes=0-9' })).statusCode).toBe(206)
  expect(
    (await service.app.inject({ url: `/v1/files/${id}`, headers: { host: 'files.example.org' } })).statusCode,
  ).toBe(401)
  const others = Object.entries<Endpoint>(contract).filter(
    ([name, { produces }]) =>
      !['getFile', 'isAlive', 'isReady'].includes(name) && produces !== 'text/event-stream',
  )
  for (const [name, { method, path }] of others) {
    const url = path.replace(/\{\w+\}/g, id)
    const got = await service.app.inject({
      method,
      url,
      headers: { host: 'files.example.org', authorization },
    })
    expect([got.statusCode, got.json().detail], name).toEqual([404, expect.stringContaining('nothing else')])
  }
  for (const url of ['/', '/inbox', '/docs/index.html', '/v1', `/v1/files/${id}/x`, '/metrics'])
    expect((await ask(url, undefined, 'GET', { accept: 'text/html' })).statusCode, url).toBe(404)
  expect((await ask('/v1/service', 'chat.example.org')).json()).toMatchObject({ media_url: mediaUrl })
})

test('the page of the service may fetch from there, by its policy and by CORS', async () => {
  await using service = await open(readConfigOf({ CORS_ORIGINS: 'https://partner.example' }))
  const preflight = (origin: string) =>
    service.app.inject({
      method: 'OPTIONS',
      url: `/v1/files/${'a'.repeat(23)}`,
      headers: {
        host: 'files.example.org',
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,range',
      },
    })
  for (const origin of ['https://chat.example.org', 'https://partner.example']) {
    const { headers, statusCode } = await preflight(origin)
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, origin])
    expect(headers['access-control-allow-headers']).toMatch(/Authorization.*Range/)
  }
  expect((await preflight('https://other.example')).headers['access-control-allow-origin']).toBeUndefined()
})

const readConfigOf = (env: Record<string, string>) => {
  const { corsOrigins } = readConfig({ PUBLIC_URL: 'https://chat.example.org', MEDIA_URL: mediaUrl, ...env })
  return { corsOrigins }
}

test('it must be another host', () => {
  for (const MEDIA_URL of ['https://chat.example.org', 'http://chat.example.org:8080'])
    expect(() => readConfig({ PUBLIC_URL: 'https://chat.example.org', MEDIA_URL })).toThrow(/another host/)
  expect(() => readConfig({ MEDIA_URL: 'https://files.example.org/path' })).toThrow(/MEDIA_URL must be/)
  expect(readConfig({ MEDIA_URL: mediaUrl }).mediaUrl).toBe(mediaUrl)
  expect(readConfig({}).mediaUrl).toBeUndefined()
})
