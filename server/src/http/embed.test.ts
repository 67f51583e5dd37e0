import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWeb } from './web-client.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-embed-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Parley</title>')
  await writeFile(
    path.join(folder, 'embed.html'),
    '<!doctype html><meta name="message-format" content="markdown" /><title>Frame</title>',
  )
  await writeFile(path.join(folder, 'embed.js'), 'define()')
})
afterAll(() => rm(folder, { recursive: true }))

async function createSite(embedOrigins: string[]) {
  const app = fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 404 }))
  const config = {
    encryptionVendor: 'acme',
    messageFormat: 'plain',
    publicUrl: 'https://chat.example',
    mediaUrl: undefined,
    allowedDomains: ['chat.example'],
    walletConnectProjectId: undefined,
    embedOrigins,
  }
  await serveWeb(
    app,
    config,
    { findInvitation: async () => undefined, showPublic: async () => undefined, admit: () => {} },
    folder,
  )
  return app
}

const ancestorsOf = (policy: unknown) => /frame-ancestors ([^;]*)/.exec(String(policy))?.[1]

test('the sites of the setting may show the frame, and no other page', async () => {
  const site = await createSite(['https://shop.example', 'https://app.example:8443'])
  for (const url of ['/embed/dm/0xabc?nft=1', '/embed/chat/town', '/embed/comments/0xabc/1']) {
    const answer = await site.inject({ url, headers: html })
    expect(answer.statusCode, url).toBe(200)
    expect(answer.body).toContain('<title>Frame</title>')
    // It formats messages as the client does.
    expect(answer.body).toContain('content="plain"')
    expect(ancestorsOf(answer.headers['content-security-policy'])).toBe(
      'https://shop.example https://app.example:8443',
    )
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
    expect(answer.headers['x-frame-options']).toBeUndefined()
  }
  for (const url of ['/', '/dm/0xabc', '/embedded', '/settings', '/embed']) {
    const answer = await site.inject({ url, headers: html })
    expect(ancestorsOf(answer.headers['content-security-policy']) ?? "'none'", url).toBe("'none'")
    expect(answer.body).not.toContain('Frame')
  }
})

test('the script is for every page, also one that is isolated', async () => {
  const site = await createSite(['https://shop.example'])
  const answer = await site.inject({ url: '/embed.js' })
  expect([answer.statusCode, answer.body]).toEqual([200, 'define()'])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
  })
})

test('where no site is named, there is neither, and the answer says why', async () => {
  const site = await createSite([])
  for (const url of ['/embed/dm/0xabc', '/embed.js']) {
    const answer = await site.inject({ url, headers: html })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toBe('No site shows this service: EMBED_ORIGINS has the origins of sites that may.\n')
    expect(answer.headers['cache-control']).toBe('no-store')
  }
})
