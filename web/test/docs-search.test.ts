// What people type into the search of the docs, and the part that answers it.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createSearch, type Section } from '../src/docs/search.ts'

const file = path.join(import.meta.dirname, '../dist/docs/search.json')
const search = createSearch(JSON.parse(readFileSync(file, 'utf8')) as Section[])

test.each([
  ['how do I block', '/docs/moderation#block-somebody'],
  ['How can I block someone?', '/docs/moderation#block-somebody'],
  ['too many requests', '/docs/errors#rate_limited'],
  ['rate_limited', '/docs/errors#rate_limited'],
  ['PUBLIC_URL', '/docs/settings#public_url'],
  ['public url', '/docs/settings#public_url'],
  ['DATA_DIR', '/docs/settings#data_dir'],
  ['PRIVATE_WEBHOOK_HOSTS', '/docs/settings#private_webhook_hosts'],
  ['backup and restore', '/docs/operations#backup-and-restore'],
  ['safety number', '/docs/encryption#the-safety-number'],
  ['webhooks', '/docs/webhooks'],
  ['receive a webhook', '/docs/webhooks#receive'],
  ['bot in two minutes', '/docs/bots#a-bot-in-two-minutes'],
])('“%s” finds %s first', (query, first) => {
  expect(search(query)[0]?.section.id).toBe(first)
})

test('each setting has a part of its own, to which a link leads', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../dist/docs/settings.html'), 'utf8')
  const names = [
    ...readFileSync(path.join(import.meta.dirname, '../../docs/settings.md'), 'utf8').matchAll(
      /^\| `([A-Z][A-Z0-9_]+)`/gm,
    ),
  ]
  expect(names.length).toBeGreaterThan(50)
  for (const [, name] of names) {
    expect(search(name!)[0]?.section.id, name).toBe(`/docs/settings#${name!.toLowerCase()}`)
    expect(page).toContain(`<tr id="${name!.toLowerCase()}">`)
  }
})
