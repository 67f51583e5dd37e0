import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeName } from '../../../testing/service/written-directly.ts'
import { newWallet, type Service, startService } from '../../../testing/service/service.ts'
import { findInvitation } from '../features/public-pages/invitation.ts'
import { serveWeb } from './web-client.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-web-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(
    path.join(folder, 'index.html'),
    '<!doctype html><meta name="encryption-vendor" content="x" /><meta name="message-format" content="markdown" /><meta name="service-hosts" content="" /><meta name="invitation" content="" /><meta name="walletconnect" content="" /><meta name="robots" content="all" /><meta property="og:title" content="Parley" /><meta property="og:description" content="" /><title>Parley</title><h1 class="text-2xl">Welcome</h1>',
  )
  await writeFile(path.join(folder, 'assets/index-abc.js'), 'console.log(1)')
  await writeFile(path.join(folder, 'assets/index-abc.js.br'), 'as brotli')
  await writeFile(path.join(folder, 'assets/index-abc.js.gz'), 'as gzip')
  await writeFile(path.join(folder, 'worker.js'), 'install()')
  await writeFile(path.join(folder, 'secret.txt'), 'not served')
  service = await startService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const config = {
  encryptionVendor: 'acme',
  messageFormat: 'plain',
  publicUrl: 'https://chat.example/parley',
  mediaUrl: undefined as string | undefined,
  allowedDomains: ['App.example:8443', 'chat.example', '"><script>'],
  walletConnectProjectId: undefined as string | undefined,
  embedOrigins: [] as string[],
}

async function createSite(
  from = folder,
  find = async (pathname: string) => findInvitation(service.ctx, pathname),
  settings = config,
) {
  const app = fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 404 }))
  const visits = { findInvitation: find, showPublic: async () => undefined, admit: () => {} }
  await serveWeb(app, settings, visits, from)
  return app
}

test('a navigation gets the page, never cached, under a strict policy', async () => {
  const site = await createSite()
  for (const url of ['/', '/dm/0xabc', '/c/gallery?x=1', '/settings']) {
    const answer = await site.inject({ url, headers: html })
    expect(answer.statusCode, url).toBe(200)
    expect(answer.body).toContain('<title>Parley</title>')
    expect(answer.body).toContain('<meta name="encryption-vendor" content="acme" />')
    expect(answer.body).toContain('<meta name="message-format" content="plain" />')
    expect(answer.body).toContain(
      '<meta name="service-hosts" content="chat.example app.example:8443 &quot;&gt;&lt;script&gt;" />',
    )
    expect(answer.headers['cache-control']).toBe('no-cache')
    const policy = String(answer.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*/)
  }
})

test('the page connects to the relay of WalletConnect and to the host for files only where they are set', async () => {
  const connections = async (more: Partial<typeof config> = {}) => {
    const site = await createSite(folder, undefined, { ...config, ...more })
    const { headers } = await site.inject({ url: '/', headers: html })
    return /connect-src [^;]*/.exec(String(headers['content-security-policy']))![0]
  }
  expect(await connections()).toBe("connect-src 'self'")
  const walletConnectProjectId = '0123456789abcdef0123456789abcdef'
  const mediaUrl = 'https://files.example.org'
  expect(await connections({ walletConnectProjectId })).toBe(
    "connect-src 'self' wss://relay.walletconnect.org",
  )
  expect(await connections({ mediaUrl })).toBe(`connect-src 'self' ${mediaUrl}`)
  expect(await connections({ mediaUrl, walletConnectProjectId })).toBe(
    `connect-src 'self' ${mediaUrl} wss://relay.walletconnect.org`,
  )
})

/** Returns what the page at a path shows to the client and other programs. */
async function shownAt(url: string, find?: () => Promise<never>, accept = html.accept) {
  const site = await createSite(folder, find)
  const { body, headers, statusCode } = await site.inject({ url, headers: { accept } })
  const contentOf = (name: string) => {
    const found = new RegExp(`"${name}" content="([^"]*)"`).exec(body)![1]!
    return found
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
  }
  const invitation = contentOf('invitation')
  return {
    statusCode,
    headers,
    body,
    title: contentOf('og:title'),
    robots: contentOf('robots'),
    invitation: invitation && JSON.parse(invitation),
  }
}

test('a link to a wallet shows its name, and that it is for people, not for search engines', async () => {
  const address = newWallet()
  const named = await shownAt(`/dm/${address}`)
  expect(named).toMatchObject({
    title: expect.stringMatching(new RegExp(`^Message ${address.slice(0, 6)}…${address.slice(-4)} on `)),
    robots: 'noindex',
    invitation: { kind: 'wallet', address, name: '' },
  })
  expect(named.headers['content-security-policy']).toContain("default-src 'none'")
  const name = `It's "><script>alert(1)</script>`
  await storeName(service.ctx, address, name)
  const invitation = { kind: 'wallet', address, name }
  for (const text of [address, address.toUpperCase().replace('0X', '0x'), encodeURIComponent(name)]) {
    const shown = await shownAt(`/dm/${text}?nft=1`)
    expect(shown).toMatchObject({ title: expect.stringContaining(`Message ${name} on `), invitation })
    expect(shown.body).not.toContain('<script>alert')
    expect(shown.body).toContain('<h1 class="text-2xl">Message It&#39;s &quot;&gt;&lt;script&gt;')
  }
})

test('a link to a community shows the name that it has, whether there is such a community or not', async () => {
  await (await service.as(newWallet())).createCommunity({ body: { community: 'Town' } })
  for (const name of ['tOwN', 'nowhere'])
    expect(await shownAt(`/c/${name}`)).toMatchObject({
      title: `You’re invited to ${name}`,
      invitation: { kind: 'community', name },
    })
})

test('any other path shows nothing: a name that is not there, what no community can be called, a longer path, another page', async () => {
  for (const url of [
    '/',
    '/settings',
    '/dm/nobody',
    '/c/',
    `/c/0x${'0'.repeat(40)}`,
    '/c/%2F',
    '/dm/',
    '/c/Town/x',
    `/dm/${'x'.repeat(500)}`,
  ])
    expect(await shownAt(url), url).toMatchObject({
      statusCode: 200,
      title: 'Parley',
      robots: 'all',
      invitation: '',
    })
})

test('programs that show previews of links get the page; without the database it says less', async () => {
  const url = `/dm/${newWallet()}`
  expect(await shownAt(url, undefined, '*/*')).toMatchObject({ statusCode: 200, robots: 'noindex' })
  const away = async () => {
    throw new Error('the database is away')
  }
  expect(await shownAt(url, away)).toMatchObject({ statusCode: 200, title: 'Parley', invitation: '' })
})

test('files carry their hash and are cached without end; nothing else of the folder is served', async () => {
  const site = await createSite()
  const answer = await site.inject('/assets/index-abc.js')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toMatch(/max-age=31536000.*immutable/)
  for (const url of ['/assets/gone.js', '/assets/../secret.txt', '/assets/%2e%2e/secret.txt', '/secret.txt'])
    expect((await site.inject(url)).statusCode, url).toBe(404)
})

test('the service worker is asked for anew each time, and may do nothing but ask this service', async () => {
  const site = await createSite()
  const { body, headers } = await site.inject('/worker.js')
  expect(body).toBe('install()')
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  })
  const known = await site.inject({ url: '/worker.js', headers: { 'if-none-match': String(headers.etag) } })
  expect(known.statusCode).toBe(304)
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
