import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../testing/service.ts'
import { serveWeb } from './web-client.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-web-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(
    path.join(folder, 'index.html'),
    '<!doctype html><meta name="encryption-vendor" content="x" /><meta name="service-hosts" content="" /><title>Parley</title>',
  )
  await writeFile(path.join(folder, 'assets/index-abc.js'), 'console.log(1)')
  await writeFile(path.join(folder, 'assets/index-abc.js.br'), 'as brotli')
  await writeFile(path.join(folder, 'assets/index-abc.js.gz'), 'as gzip')
  await writeFile(path.join(folder, 'secret.txt'), 'not served')
  service = await startService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const config = {
  encryptionVendor: 'acme',
  publicUrl: 'https://chat.example/parley',
  allowedDomains: ['App.example:8443', 'chat.example', '"><script>'],
}

async function createSite(from = folder) {
  const app = fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 404 }))
  await serveWeb(app, config, from)
  return app
}

test('a navigation gets the page, never cached, under a strict policy', async () => {
  const site = await createSite()
  for (const url of ['/', '/dm/0xabc', '/c/gallery?x=1', '/settings']) {
    const answer = await site.inject({ url, headers: html })
    expect(answer.statusCode, url).toBe(200)
    expect(answer.body).toContain('<title>Parley</title>')
    expect(answer.body).toContain('<meta name="encryption-vendor" content="acme" />')
    expect(answer.body).toContain(
      '<meta name="service-hosts" content="chat.example app.example:8443 &quot;&gt;&lt;script&gt;" />',
    )
    expect(answer.headers['cache-control']).toBe('no-cache')
    const policy = String(answer.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*/)
  }
})

test('files carry their hash and are cached without end; nothing else of the folder is served', async () => {
  const site = await createSite()
  const answer = await site.inject('/assets/index-abc.js')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toMatch(/max-age=31536000.*immutable/)
  for (const url of ['/assets/gone.js', '/assets/../secret.txt', '/assets/%2e%2e/secret.txt', '/secret.txt'])
    expect((await site.inject(url)).statusCode, url).toBe(404)
})

test('the page and its files are sent compressed to who accepts that', async () => {
  const site = await createSite()
  const file = async (encoding: string) =>
    site.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': encoding } })
  expect((await file('gzip, br')).headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'cache-control': expect.stringMatching(/immutable/),
  })
  expect((await file('gzip')).body).toBe('as gzip')
  expect((await file('identity')).body).toBe('console.log(1)')

  const page = await site.inject({ url: '/', headers: { ...html, 'accept-encoding': 'br' } })
  expect(page.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept, Accept-Encoding' })
  expect(brotliDecompressSync(page.rawPayload).toString()).toContain('<title>Parley</title>')
  const etag = String(page.headers.etag)
  expect((await site.inject({ url: '/', headers: { ...html, 'if-none-match': etag } })).statusCode).toBe(304)
})

test('the interface answers as before, to browsers too', async () => {
  for (const url of ['/v1/nothing', '/users/a', '/assets/gone.js', '/v1/create_chatitem']) {
    const answer = await service.app.inject({ url, headers: html })
    expect(answer.headers['content-type'], url).toBe('application/problem+json')
  }
  expect((await service.app.inject('/nowhere')).statusCode).toBe(404)
  expect((await service.app.inject({ method: 'POST', url: '/dm/0xabc', headers: html })).statusCode).toBe(404)
})

test('without a build the service runs and says how to get one', async () => {
  const site = await createSite(path.join(folder, 'nothing'))
  const answer = await site.inject({ url: '/', headers: html })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('npm start')
})
