// What holds for every endpoint, read from the contract: a new endpoint is covered the moment it is
// declared.

import { type Endpoint, endpoints, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { SignJWT } from 'jose'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decidedOtherwise } from '../../testing/cases/access-exceptions.ts'
import { namesAnybody, requestOf } from '../../testing/cases/callers.ts'
import { newWallet, testSecret, useService } from '../../testing/service/service.ts'
import { botToken, startTelegram } from '../../testing/outside/telegram-api.ts'
import { issueToken } from '../src/auth/tokens.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'
const all = Object.entries<Endpoint>(contract)
const guarded = all.filter(([, { access }]) => access !== 'public' && access !== 'wallet-or-anyone')

interface Operation {
  operationId: string
  summary: string
  description: string
  responses: Record<string, { description: string }>
}

/** The paths of the document, which is read once: it is large. */
let documented: Record<string, Record<string, Operation>>
let telegram: Awaited<ReturnType<typeof startTelegram>>
const mailFrom = { name: 'Parley', address: 'parley@example.org' }
beforeAll(async () => void (telegram = await startTelegram()))
afterAll(() => telegram[Symbol.asyncDispose]())
const service = useService(() => ({
  adminApiKey,
  mailFrom,
  telegramBotToken: botToken,
  telegramApiUrl: telegram.url,
}))
beforeAll(async () => {
  documented = (await service.app.inject('/docs/json')).json().paths
  await fill()
})

// One for each test: some endpoints end all tokens of a wallet.
const newToken = () => issueToken(service.ctx, newWallet())

const urlOf = ({ path }: Endpoint, value = 'a') =>
  path.replace(/\{(\w+)\}/g, (_, name) =>
    name === 'id' ? '1' : name === 'type' ? 'dm' : name === 'time' ? '1' : value,
  )
const call = (endpoint: Endpoint, options: Omit<InjectOptions, 'method' | 'url'> & { url?: string } = {}) =>
  service.app.inject({
    // An event stream never ends, so only its head is asked for; events/routes.test.ts has the
    // rest.
    method: endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method,
    url: urlOf(endpoint),
    ...options,
  })

const documentOf = ({ path, method }: Endpoint) => documented[path.replace(/\/$/, '')]?.[method.toLowerCase()]

test('what is wrong with a value is said in words; its pointer is for programs', async () => {
  const headers = { authorization: `Bearer ${await newToken()}`, 'content-type': 'application/json' }
  const refusals: [Endpoint, string | undefined, string][] = all.flatMap(([, endpoint]) => [
    ...(endpoint.body ? ['{}', '[]', '{"base64data":5,"name":5,"social":[{"name":5}]}'] : []).map(
      (payload) => [endpoint, payload, 'a'] as [Endpoint, string, string],
    ),
    ...(paramNames(endpoint.path).length > 0
      ? [[endpoint, undefined, '%20'] as [Endpoint, undefined, string]]
      : []),
  ])
  let found = 0
  for (const [endpoint, payload, value] of refusals) {
    const url = urlOf(endpoint, value)
    const answer = await call(endpoint, { url, headers, ...(payload && { payload }) })
    if (answer.statusCode !== 400 || answer.body === '') continue
    found += 1
    const { detail, errors } = answer.json()
    expect(detail, url).not.toMatch(/(^|[^\w])\/(body|path|query)|base64data/)
    for (const { pointer } of errors ?? []) expect(pointer, url).toMatch(/^\/(body|path|query)/)
  }
  expect(found).toBeGreaterThan(40)
})

describe.each(guarded)('%s', (_name, endpoint) => {
  test('refuses a call without a valid token, before it reads the body', async () => {
    const token = await newToken()
    const claims = { sub: newWallet(), jti: '1' }
    const { publicUrl } = service.ctx.config
    const sign = (edit: (jwt: SignJWT) => SignJWT, secret = testSecret, alg = 'HS256') =>
      edit(
        new SignJWT(claims)
          .setProtectedHeader({ alg })
          .setIssuedAt()
          .setIssuer(publicUrl)
          .setAudience(publicUrl)
          .setExpirationTime('1h'),
      ).sign(Buffer.from(secret))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const bad = [
      undefined,
      '',
      'Bearer',
      'Bearer nonsense',
      `Basic ${token}`,
      `Bearer ${part({ alg: 'none' })}.${part({ ...claims, iss: publicUrl, aud: publicUrl, iat: now, exp: now + 60 })}.`,
      `Bearer ${await sign((jwt) => jwt, 'another secret that is long enough for HS256')}`,
      `Bearer ${await sign((jwt) => jwt, testSecret.padEnd(64), 'HS512')}`,
      `Bearer ${await sign((jwt) => jwt.setIssuer('https://evil.example'))}`,
      `Bearer ${await sign((jwt) => jwt.setAudience('https://evil.example'))}`,
      `Bearer ${await sign((jwt) => jwt.setExpirationTime('-1s'))}`,
      `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setIssuer(publicUrl).setAudience(publicUrl).sign(Buffer.from(testSecret))}`,
      `Bearer ${token.slice(0, -2)}${token.endsWith('AA') ? 'EE' : 'AA'}`,
    ]
    for (const authorization of bad) {
      const answer = await call(endpoint, {
        headers: {
          ...(authorization !== undefined && { authorization }),
          'content-type': 'application/json',
        },
        payload: '{',
      })
      expect(answer.statusCode, authorization).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
      expect(answer.headers['content-type']).toBe('application/problem+json')
    }
    const elsewhere = await call(endpoint, {
      url: `${urlOf(endpoint)}?token=${token}`,
      headers: { cookie: `token=${token}` },
    })
    expect(elsewhere.statusCode).toBe(401)
  })

  test('accepts the admin key only where it is declared, and never from a browser', async () => {
    const authorization = `Bearer ${adminApiKey}`
    const answer = await call(endpoint, { headers: { authorization } })
    if (endpoint.access === 'wallet-or-admin') expect(answer.statusCode).not.toBe(403)
    else expect(answer.statusCode).toBe(403)
    expect(
      (await call(endpoint, { headers: { authorization, origin: 'https://site.example' } })).statusCode,
    ).toBe(403)
  })

  test('is not kept by caches', async () => {
    const token = await newToken()
    expect(
      (await call(endpoint, { headers: { authorization: `Bearer ${token}` } })).headers['cache-control'],
    ).toMatch(/^no-store(, no-transform)?$/)
  })
})

describe.each(all)('%s', (name, endpoint) => {
  test('is in the docs with an operationId, and accepts a trailing slash or none', async () => {
    expect(documentOf(endpoint)).toMatchObject({
      operationId: name,
      summary: endpoint.summary,
    })
    // One call may end the token of the other.
    const headers = async () => ({ authorization: `Bearer ${await newToken()}` })
    const [plain, slash] = await Promise.all([
      call(endpoint, { headers: await headers() }),
      call(endpoint, {
        headers: await headers(),
        url: urlOf(endpoint).replace(/(\/?)$/, (end) => (end ? '' : '/')),
      }),
    ])
    expect(slash.statusCode).toBe(plain.statusCode)
  })

  test('answers any body and path with something other than a server error', async () => {
    const token = await newToken()
    // Half of the bodies have the right fields with wrong values, so that they get past the first
    // check.
    const fields = Object.keys(Type.IsObject(endpoint.body) ? endpoint.body.properties : {})
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'binary' }),
      fc.constant('a'),
      fc.constant('\0'),
      fc.integer(),
    )
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc
        .record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] })
        .map((object) => JSON.stringify(object)),
    )
    const pathValue = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.webSegment(),
      fc.constantFrom('%00', '..', '%2e%2e%2f', "';--", '%ff', 'a'.repeat(500), '0x0', '$1'),
    )
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.array(pathValue, { minLength: 4, maxLength: 4 }),
        fc.webQueryParameters(),
        fc.boolean(),
        async (payload, values, query, raw) => {
          let i = 0
          const path = endpoint.path.replace(/\{\w+\}/g, () => {
            const next = values[i++ % values.length]!.toWellFormed()
            return raw ? next.replace(/[\s?#\\]|[^\x21-\x7e]/g, '') || 'a' : encodeURIComponent(next)
          })
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
          const answer = await call(endpoint, {
            url: `${path}?${query}`,
            headers,
            ...(endpoint.method !== 'GET' && { payload }),
          })
          expect(answer.statusCode, answer.body).toBeLessThan(500)
          if (answer.statusCode >= 400)
            expect(answer.json()).toMatchObject({
              status: answer.statusCode,
              detail: expect.stringMatching(/./),
              request_id: expect.any(String),
            })
        },
      ),
      { numRuns: 60 },
    )
  })
})

const ofOneWallet = all.filter(([, { self }]) => self !== undefined)
const [owner, peer] = [newWallet(), newWallet()]
const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
const values = { nftaddr: punks, id: '1', type: 'dm' }
/** The ids of what the wallet has made for itself. */
const ownIds: string[] = []

/** Gives one wallet something of every kind that another could change. */
async function fill(): Promise<void> {
  const asOwner = await service.as(owner)
  const chat = { walletaddr: owner, nftaddr: punks }
  const published = { address: owner, public_key: 'a', signature: 'b', backup: 'c' }
  await asOwner.sendDirectMessage({ body: { fromaddr: owner, toaddr: peer, message: 'gm' } })
  await (await service.as(peer)).postGroupMessage({ body: { fromaddr: peer, nftaddr: punks, message: 'gm' } })
  await asOwner.createComment({ body: { fromaddr: owner, nftaddr: punks, nftid: 7, message: 'gm' } })
  await asOwner.joinChat({ body: chat })
  await asOwner.publishKey({ address: owner, body: published })
  await asOwner.updateSettings({ body: { walletaddr: owner, domain: 'owner.eth' } })
  const made = [
    await asOwner.createApiKey({ body: { label: 'a program', scopes: ['inbox:read'] } }),
    await asOwner.createIncomingHook({ body: { label: 'builds', nftaddr: punks } }),
    await asOwner.createDraft({ body: { toaddr: peer, message: 'gm' } }),
    await asOwner.createWebhook({ body: { url: 'https://example.org/hook', events: ['request.new'] } }),
  ]
  ownIds.push(...made.map(([one]) => one!.id))
}

const headersOf = async (wallet: string) => ({
  authorization: `Bearer ${await issueToken(service.ctx, wallet)}`,
  'idempotency-key': newWallet(),
})

/** What is in the tables, as a digest of each. */
async function digests(): Promise<unknown[]> {
  const tables = await service.ctx.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const digest = ({ name }: { name: string }) =>
    `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as digest from ${name} t`
  return service.ctx.db.query(`${tables.map(digest).join(' union all ')} order by name`)
}

/** What the tables hold while only what is refused is sent. */
let untouched: unknown[] | undefined

test.each(ofOneWallet)(
  '%s refuses another wallet, whose request changes nothing',
  async (_name, endpoint) => {
    const stranger = newWallet()
    const headers = await headersOf(stranger)
    untouched ??= await digests()
    const answer = await call(endpoint, { ...requestOf(endpoint, [owner, peer], values), headers })
    expect(answer.statusCode).toBe(403)
    expect(answer.json().detail).toBe(`This belongs to another wallet. You are signed in as ${stranger}`)
    expect(await digests()).toEqual(untouched)
  },
)

describe.each(ofOneWallet)('%s', (_name, endpoint) => {
  test('refuses neither the wallet itself nor, where two are named, the other one', async () => {
    const wallets = [endpoint.self!].flat().map(() => newWallet())
    for (const wallet of wallets) {
      const asked = requestOf(endpoint, wallets, values)
      expect((await call(endpoint, { ...asked, headers: await headersOf(wallet) })).statusCode).not.toBe(403)
    }
  })

  test('says in the docs who may call it', () => {
    const { description, responses } = documentOf(endpoint)!
    for (const name of [endpoint.self!].flat())
      expect(description).toMatch(new RegExp(`^Only .*\`${name}\``, 'm'))
    expect(responses['403']?.description).toBe('The caller is another wallet')
  })
})

const undeclared = guarded.filter(([, { self, access }]) => self === undefined && access !== 'operator')
const ofOwnThings = undeclared.filter(
  ([, endpoint]) => !namesAnybody(endpoint) && paramNames(endpoint.path).length > 0,
)

test.each(ofOwnThings)('%s finds nothing by the id of what another wallet has made', async (_, endpoint) => {
  const before = await digests()
  for (const id of ownIds) {
    const own = Object.fromEntries(paramNames(endpoint.path).map((name) => [name, id]))
    const headers = await headersOf(newWallet())
    const { statusCode } = await call(endpoint, { ...requestOf(endpoint, [], own), headers })
    expect(statusCode).toBe(404)
  }
  expect(await digests()).toEqual(before)
})

test('an endpoint for wallets says which parameter is the caller, names nobody, or is listed with what decides instead', () => {
  const naming = undeclared.filter(([, endpoint]) => namesAnybody(endpoint)).map(([name]) => name)
  expect(naming.filter((name) => !(name in decidedOtherwise))).toEqual([])
  const others = new Set(undeclared.map(([name]) => name))
  expect(Object.keys(decidedOtherwise).filter((name) => !others.has(name))).toEqual([])
})

test('what `self` names is a path parameter or a field of the body, or it does not compile', () => {
  const entry = { method: 'GET', path: '/v1/a/{address}', summary: 'a', access: 'wallet' } as const
  endpoints({ right: { ...entry, self: 'address' } })
  // @ts-expect-error: there is no such parameter
  endpoints({ wrong: { ...entry, self: 'adress' } })
  // @ts-expect-error: nor is there one of these
  endpoints({ wrong: { ...entry, self: ['address', 'toaddr'] } })
  // @ts-expect-error: anyone may call it
  endpoints({ wrong: { ...entry, access: 'public', self: 'address' } })
})

test('paths of the contract do not collide', () => {
  const shapes = all.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(new Set(shapes).size).toBe(shapes.length)
  for (const [, { path }] of all) expect(new Set(paramNames(path)).size).toBe(paramNames(path).length)
})
