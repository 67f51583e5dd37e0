// What lets somebody read or write after a sign-in has ended: every entry of the one list, and every table and endpoint.

import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { grantNotices, grantWords } from '@parley/sdk/contract/grants.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { signInText } from '@parley/sdk/sign-in-text.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, startGranting } from '../../testing/cases/lasting-grants.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { listenTo } from '../../testing/service/event-listener.ts'
import { clientOf, newWallet } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { type LastingGrant, lastingGrants } from '../src/auth/grants.ts'
import { sendSessionCookie } from '../src/features/sign-in/session-token.ts'

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

test.each(Object.entries(ends))('%s ends every grant, on every instance', async (_end, how) => {
  const owner = await t.newOwner()
  const works = await t.grantAll(owner)
  expect(await works.all()).toEqual(new Set(names))
  expect(await works.programs(t.other)).not.toEqual([])
  await how(owner)
  expect(await works.all()).toEqual(new Set())
  await expect.poll(() => works.programs(t.other), { timeout: 5_000 }).toEqual([])
})

test('a ban silences or refuses grants as the list says, and lifting it ends that', async () => {
  const owner = await t.newOwner()
  const works = await t.grantAll(owner)
  expect(await works.all()).toEqual(new Set(names))
  await act('ban', owner.address)
  const staying = names.filter((name) => lastingGrants[name].whenBanned === 'stays')
  expect(await works.all()).toEqual(new Set(staying))
  await act('lift', owner.address)
  expect(await works.all()).toEqual(new Set(names))
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

const endsOfSites: Record<string, (owner: Owner) => Promise<unknown>> = {
  ...ends,
  async endSession({ client, address }) {
    const listed = await client.listSessions({ address })
    await client.endSession({ address, session: listed.find(({ origin }) => origin !== undefined)!.id })
  },
}

test.each(Object.entries(endsOfSites))(
  '%s ends the token of a site with scopes and its open streams, on every instance',
  async (_, end) => {
    const owner = await t.newOwner()
    const { address, friend } = owner
    const { token } = await t.signSiteIn(owner, [`dm:${friend}`])
    const reads = async (on: typeof t.service) =>
      clientOf(on.app, { token })
        .listConversation({ fromaddr: address, toaddr: friend })
        .then(
          () => 200,
          ({ status }: { status: number }) => status,
        )
    await using here = await listenTo(t.service, address, { token })
    await using there = await listenTo(t.other, address, { token })
    await t.writeTo(owner)
    for (const { messages } of [here, there])
      await expect.poll(messages, { timeout: 10_000 }).toEqual(['a secret text'])
    expect([await reads(t.service), await reads(t.other)]).toEqual([200, 200])
    await end(owner)
    expect(await reads(t.service)).toBe(401)
    await eventually(async () => (await reads(t.other)) === 401, true)
    await here.ends()
    await there.ends()
    await using again = await listenTo(t.other, address, { token })
    expect(again.response.status).toBe(401)
    await t.writeTo(owner)
    expect([...here.messages(), ...there.messages()]).toEqual(['a secret text', 'a secret text'])
    const listed = await (await t.service.as(address)).listSessions({ address })
    expect(listed.filter(({ origin }) => origin !== undefined)).toEqual([])
  },
)

test('a ban stops the site too, which may sign out then; lifting it ends that', async () => {
  const owner = await t.newOwner()
  const { address: fromaddr, friend: toaddr } = owner
  const { client, token } = await t.signSiteIn(owner, [`dm:${toaddr}`])
  const send = () => client.sendDirectMessage({ body: { fromaddr, toaddr, message: 'gm' } })
  await send()
  await act('ban', fromaddr)
  await expect(send()).rejects.toMatchObject({ status: 403, code: 'sanctioned' })
  await act('lift', fromaddr)
  await send()
  await act('ban', fromaddr)
  const { headers } = await t.service.app.inject({
    method: 'POST',
    url: '/v1/signout',
    headers: { authorization: `Bearer ${token}` },
  })
  // The browser may have a session of the service's own page.
  expect(headers['set-cookie']).toBeUndefined()
  await expect(send()).rejects.toMatchObject({ status: 401 })
})

/** This is what a site may ask for at most, as wide as it goes. */
const widest = ['inbox:read', 'inbox:write', 'dm:send', 'dm:begin', 'chat:read', 'chat:post'].concat([
  'message:edit',
  'reaction:write',
  'pin:write',
  'profile:write',
])

test('a site with every scope that it may have leaves nothing behind that outlives its token', async () => {
  const owner = await t.newOwner()
  const { client } = await t.signSiteIn(owner, widest)
  for (const grant of Object.keys(grantNotices) as (keyof typeof grantNotices)[])
    await expect(t.grants[grant]({ ...owner, client }), grant).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    })
  const draft = { toaddr: owner.friend, message: 'of a site' }
  await expect(client.createDraft({ body: draft })).rejects.toMatchObject({ status: 403 })
  expect(await owner.client.listNotices()).toEqual([])
  expect(await owner.client.listApiKeys()).toEqual([])
})

test('the token of a site is not renewed: by no cookie, its own session or that of a browser', async () => {
  const owner = await t.newOwner()
  const { address, browser } = owner
  const { token, client } = await t.signSiteIn(owner, ['public:read'])
  const { sid, iat = 0, exp = 0 } = decodeJwt<{ sid: string }>(token)
  expect(exp - iat).toBe(86_400)
  const renew = async (headers: Record<string, string>) => {
    const { statusCode, headers: found } = await t.service.app.inject({
      method: 'POST',
      url: `/v1/session/${address}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    return [statusCode, found['authorization']]
  }
  const own = { 'sec-fetch-site': 'same-origin' }
  // No response has this cookie: it is what the service would accept of a session with this id.
  let cookie = ''
  const reply = { header: (_: string, value: string) => (cookie = value.split(';')[0]!) }
  const http = { request: { protocol: 'https' }, reply } as unknown as Parameters<typeof sendSessionCookie>[2]
  for (const generation of [0, 1]) {
    sendSessionCookie(t.service.ctx.config, address, http, { id: sid, generation })
    expect(await renew({ ...own, cookie })).toEqual([401, undefined])
  }
  expect(await renew(own)).toEqual([401, undefined])
  expect(await renew({ 'sec-fetch-site': 'cross-site', cookie: browser.cookie() })).toEqual([403, undefined])
  // The browser of the wallet is, as before.
  expect((await browser.renew(address)).statusCode).toBe(200)
  await client.listCommunities({})
})

test('what a wallet has signed for a site signs in once, and never to more', async () => {
  const owner = await t.newOwner()
  const { account, address } = owner
  const site = await t.signSiteIn(owner, ['public:read'])
  const refused = async (status: number, more?: object, headers?: Record<string, string>) => {
    const answer = await site.send(more, headers)
    expect([answer.statusCode, answer.headers['authorization'], answer.headers['set-cookie']]).toEqual([
      status,
      undefined,
      undefined,
    ])
  }
  const own = { origin: 'https://chat.example.org', 'sec-fetch-site': 'same-origin' }
  await refused(401)
  await refused(401, {}, { 'idempotency-key': 'one' })
  await refused(401, {}, { 'idempotency-key': 'one' })
  await refused(400, { session: true }, own)
  await refused(403, { session: true })
  // Its nonce is spent for another text too, and its signature is for no other.
  const full = signInText({ ...site.text, domain: 'chat.example.org', uri: 'https://chat.example.org' })
  await refused(401, { msg: full }, own)
  await refused(401, { msg: full, sig: await account.signMessage({ message: full }) }, own)
  const more = signInText({ ...site.text, scopes: ['public:read', 'inbox:read'] })
  await refused(401, { msg: more, sig: await account.signMessage({ message: more }) })
  const listed = await owner.client.listSessions({ address })
  expect(listed.filter(({ origin }) => origin !== undefined)).toHaveLength(1)
})

test('an Idempotency-Key of the wallet gives a site no answer that its scopes do not', async () => {
  const owner = await t.newOwner()
  const { address: fromaddr, friend } = owner
  const site = await t.signSiteIn(owner, [`dm:${friend}`])
  const secret = { body: { fromaddr, toaddr: newWallet(), message: 'a secret' } }
  await owner.client.sendDirectMessage(secret, { idempotencyKey: 'mine' })
  const settings = { body: { walletaddr: fromaddr, notify24: 'false' as const } }
  await owner.client.updateSettings(settings, { idempotencyKey: 'settings' })
  const refusal = { status: 403, code: 'forbidden' }
  await expect(site.client.sendDirectMessage(secret, { idempotencyKey: 'mine' })).rejects.toMatchObject(
    refusal,
  )
  await expect(site.client.updateSettings(settings, { idempotencyKey: 'settings' })).rejects.toMatchObject(
    refusal,
  )
  // What the site has sent itself is repeated while its token is valid.
  const body = { fromaddr, toaddr: friend, message: 'gm' }
  const send = () => site.client.sendDirectMessage({ body }, { idempotencyKey: 'of-the-site' })
  expect(await send()).toEqual(await send())
  await owner.client.signOutEverywhere()
  await expect(send()).rejects.toMatchObject({ status: 401 })
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
