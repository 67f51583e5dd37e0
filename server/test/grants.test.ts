// What lets somebody read or write after a sign-in has ended: every entry of the one list, and every table and endpoint.

import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { grantNotices, grantWords } from '@parley/sdk/contract/grants.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, startGranting } from '../../testing/cases/lasting-grants.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { clientOf, newWallet } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { type LastingGrant, lastingGrants } from '../src/auth/grants.ts'

let t: Awaited<ReturnType<typeof startGranting>>
const operator = newWallet()
beforeAll(async () => {
  t = await startGranting()
  await addOperator(t.service, operator)
})
afterAll(() => t?.[Symbol.asyncDispose]())

type Owner = Awaited<ReturnType<typeof t.newOwner>>
const act = async (action: 'revoke_tokens' | 'ban' | 'lift', subject: string) =>
  (await t.service.as(operator)).act({ body: { action, subject, reason: 'a test' } })

/** The owner's client with a sign-in of more than an hour ago. */
const withOldSignIn = async ({ address }: Owner) => {
  const token = await issueToken(t.service.ctx, address, { signedIn: Date.now() - 3_700_000 })
  return clientOf(t.service.app, { token })
}

const ends: Record<string, (owner: Owner) => Promise<unknown>> = {
  signOutEverywhere: ({ client }) => client.signOutEverywhere(),
  revoke_tokens: ({ address }) => act('revoke_tokens', address),
  eraseAccount: ({ client, address }) => client.eraseAccount({ address }),
}
const names = Object.keys(lastingGrants) as LastingGrant[]

test.each(Object.entries(ends).flatMap(([end, how]) => names.map((grant) => [end, grant, how] as const)))(
  '%s ends %s, on every instance',
  async (_end, grant, how) => {
    const owner = await t.newOwner()
    const works = await t.grants[grant](owner)
    expect(await works(t.other)).toBe(true)
    await how(owner)
    expect(await works(t.service)).toBe(false)
    await eventually(() => works(t.other), false)
  },
)

test.each(names)('a ban silences or refuses %s, and lifting it ends that', async (grant) => {
  const owner = await t.newOwner()
  const works = await t.grants[grant](owner)
  expect(await works(t.service)).toBe(true)
  await act('ban', owner.address)
  expect(await works(t.service)).toBe(lastingGrants[grant].whenBanned === 'stays')
  await act('lift', owner.address)
  expect(await works(t.service)).toBe(true)
})

test('what the wallet itself has drafted outlasts a sign-out everywhere; its mail address does not', async () => {
  const owner = await t.newOwner()
  await t.grants.drafts(owner)
  await t.grants.mails(owner)
  await owner.client.signOutEverywhere()
  const client = await t.service.as(owner.address)
  expect((await client.listDrafts()).map(({ message }) => message)).toEqual(['of the wallet'])
  const [settings] = await client.getSettings({ address: owner.address })
  expect(settings).toMatchObject({ verified: 'false', notifydm: 'false', notify24: 'false' })
  expect(settings).not.toHaveProperty('email')
})

const adding = Object.entries<Endpoint>(contract).filter(([, { grants }]) => grants !== undefined)

test('every kind of grant has an endpoint that adds it; none may be added by an API key or without a token', () => {
  expect(new Set(adding.map(([, { grants }]) => grants))).toEqual(new Set(Object.keys(grantNotices)))
  for (const [name, { access, scope, idempotent }] of adding)
    expect([name, scope, access, idempotent]).toEqual(
      // An answer that is stored for its Idempotency-Key must hold no secret: the settings have none.
      name === 'updateSettings'
        ? [name, undefined, 'wallet-or-admin', true]
        : [name, undefined, 'wallet', undefined],
    )
})

test.each(Object.keys(grantNotices) as (keyof typeof grantNotices)[])(
  'adding %s takes a recent sign-in, and its owner gets a notice and a mail',
  async (grant) => {
    const owner = await t.newOwner()
    const email = await t.setEmail(owner)
    const old = { ...owner, client: await withOldSignIn(owner) }
    await expect(t.grants[grant](old)).rejects.toMatchObject({ code: 'old_sign_in', status: 403 })
    expect(await owner.client.listNotices()).toEqual([])
    const { length: notices } = [await t.grants[grant](owner)]
    expect(notices).toBe(1)
    const listed = await owner.client.listNotices()
    expect(listed).toMatchObject([{ action: grantNotices[grant], reason: expect.stringMatching(/./) }])
    await t.work()
    const mails = t.smtp.inbox.filter(({ recipients }) => recipients.includes(email))
    expect(mails.map(({ mail }) => mail.subject)).toEqual([
      grant === 'mails'
        ? 'Your mail address on chat.example.org was changed'
        : 'Something was added to your wallet on chat.example.org',
    ])
    expect(mails[0]!.mail.text).toContain(grantWords[grantNotices[grant]].name)
    expect(mails[0]!.raw).not.toContain(listed[0]!.reason)
  },
)

test('any sign-in chooses which mails are sent and removes the address, to which a last mail goes', async () => {
  for (const remove of ['updateSettings', 'deleteSettings'] as const) {
    const owner = await t.newOwner()
    const { address: walletaddr } = owner
    const email = await t.setEmail(owner)
    const old = await withOldSignIn(owner)
    const kept = await old.updateSettings({
      body: { walletaddr, email: email.replace('example', 'EXAMPLE'), notify24: 'true' },
    })
    expect(kept).toMatchObject([{ email, verified: 'true', notify24: 'true' }])
    // An address that no mail has named before it is gone is named in the last one.
    await owner.client.createApiKey({ body: { label: 'a key', scopes: ['inbox:read'] } })
    await (remove === 'updateSettings'
      ? old.updateSettings({ body: { walletaddr, email: null } })
      : old.deleteSettings({ address: walletaddr }))
    await t.work()
    const mails = t.smtp.inbox.filter(({ recipients }) => recipients.includes(email))
    expect(mails.map(({ mail }) => mail.subject)).toEqual([
      'Your mail address on chat.example.org was changed',
    ])
    expect(mails[0]!.mail.text).toContain('an API key')
    await expect(old.updateSettings({ body: { walletaddr, email } })).rejects.toMatchObject({
      code: 'old_sign_in',
    })
  }
})

test('an address that is set twice at once, also with an Idempotency-Key, is one notice', async () => {
  const { client, address: walletaddr } = await t.newOwner()
  const body = { walletaddr, email: `${walletaddr.slice(2, 12)}@example.org` }
  await Promise.all([
    client.updateSettings({ body }),
    client.updateSettings({ body }),
    client.updateSettings({ body }, { idempotencyKey: 'one' }),
    client.updateSettings({ body }, { idempotencyKey: 'one' }),
    client.updateSettings({ body }, { idempotencyKey: 'two' }),
  ])
  expect(await client.listNotices()).toMatchObject([{ action: 'mail_address_set', reason: body.email }])
})

test('a browser that gets pushes already is renewed by any sign-in, also with another endpoint; another browser is not', async () => {
  const owner = await t.newOwner()
  const [one, two, three] = ['one', 'two', 'three'].map((n) =>
    t.pushService.subscribe(`${n}-${owner.address}`),
  )
  await owner.client.putPushSubscription({ body: one! })
  const old = await withOldSignIn(owner)
  const [{ id } = {}] = await old.putPushSubscription({ body: { ...one!, label: 'renamed' } })
  await expect(old.putPushSubscription({ body: two! })).rejects.toMatchObject({ code: 'old_sign_in' })
  await expect(
    old.putPushSubscription({ body: { ...two!, replaces: three!.endpoint } }),
  ).rejects.toMatchObject({ code: 'old_sign_in' })
  expect(await old.putPushSubscription({ body: { ...two!, replaces: one!.endpoint } })).toMatchObject([
    { id, label: two!.label },
  ])
})

test('a webhook is narrowed by any sign-in; another address, event or no narrowing takes a recent one', async () => {
  const owner = await t.newOwner()
  const body = {
    url: 'https://example.org/hook',
    events: ['message.direct' as const, 'request.new' as const],
    peer: newWallet(),
  }
  const [{ id: session } = {}] = await owner.client.createWebhook({ body })
  const old = await withOldSignIn(owner)
  const change = (more: object) => old.changeWebhook({ session: session!, body: { ...body, ...more } })
  expect(await change({ events: ['request.new'], is_on: false })).toMatchObject([{ is_on: false }])
  expect(await change({ events: ['request.new'] })).toMatchObject([{ is_on: true, events: ['request.new'] }])
  for (const more of [
    {},
    { url: 'https://example.com/hook', events: ['request.new'] },
    { events: ['request.new'], peer: newWallet() },
  ])
    await expect(change(more)).rejects.toMatchObject({ code: 'old_sign_in' })
  expect(await owner.client.listWebhooks()).toMatchObject([{ url: body.url, events: ['request.new'] }])
})

test('only what is given a GrantTx stores a grant', async () => {
  const tables = (Object.keys(grantNotices) as (keyof typeof grantNotices)[])
    .flatMap((grant) => lastingGrants[grant].tables)
    // Written in the background, for webhooks that are there.
    .filter((table) => table !== 'webhook_waiting' && table !== 'webhook_deliveries')
  const stores = new RegExp(
    `insert into (${tables.join('|')})\\b|table: '(${tables.join('|')})'|update settings set email = \\$`,
  )
  const root = path.join(import.meta.dirname, '../src')
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8')
    if (!file.endsWith('.test.ts') && stores.test(text)) found.push(text.includes('GrantTx<') ? '' : file)
  }
  expect(found.length).toBeGreaterThan(4)
  // Their type and the table of secrets, which store nothing.
  const others = new Set([
    'auth/api-keys.ts',
    'auth/incoming-hooks.ts',
    'auth/secret-store.ts',
    'db/own-rows.ts',
  ])
  expect(found.filter((file) => file !== '' && !others.has(file))).toEqual([])
})
