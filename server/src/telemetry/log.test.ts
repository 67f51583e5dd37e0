// No personal data reaches the log, whatever fails and at every level: each endpoint is called with recognisable values, valid
// and invalid ones, and the log is searched for them.

import { createHash } from 'node:crypto'
import { type Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { Type } from 'typebox'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newHookOf } from '../../../testing/people/secrets.ts'
import { newWallet, startService, testSecret } from '../../../testing/service/service.ts'
import { openBrowser } from '../../../testing/service/session-browser.ts'
import { issueToken } from '../auth/tokens.ts'
import { createLog } from './log.ts'

const adminApiKey = 'recognisable-admin-key-of-the-tests-0123456789'
const text = 'a recognisable message, 5f1d'
const email = 'recognisable.person@example.org'
const account = privateKeyToAccount(generatePrivateKey())
const alice = account.address.toLowerCase()
const bob = newWallet()
const nft = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

const valid: Partial<Record<keyof typeof contract, object>> = {
  sendDirectMessage: { fromaddr: alice, toaddr: bob, message: text, encrypted_sym_x_key: text },
  markDirectMessage: {
    fromaddr: bob,
    toaddr: alice,
    id: 1,
    message: text,
    read: true,
    timestamp: '2026-01-01T00:00:00.000Z',
  },
  postGroupMessage: { fromaddr: alice, nftaddr: nft, message: text },
  postCommunityMessage: { fromaddr: alice, nftaddr: 'town', message: text },
  joinChat: { walletaddr: alice, nftaddr: nft },
  leaveChat: { walletaddr: alice, nftaddr: nft },
  createComment: { fromaddr: alice, nftaddr: nft, nftid: 1, message: text },
  setName: { address: alice, name: 'recognisable-name' },
  updateSettings: { walletaddr: alice, email, notifydm: 'true' },
  createCommunity: { community: 'town', social: [] },
  createApiKey: { label: text, scopes: ['inbox:read'] },
  createIncomingHook: { label: text, nftaddr: nft },
  postByHook: { text },
  createImage: { addr: alice, base64data: Buffer.from(text).toString('base64') },
}

/** In this body every field has a wrong type, but is recognisable. */
const wrong = ({ body }: Endpoint) =>
  Object.fromEntries(
    Object.keys(Type.IsObject(body) ? body.properties : {}).map((field) => [field, [text, email]]),
  )

test('no token, secret, signature, code, message, name or address reaches the log', async () => {
  let log = ''
  const rpcKey = 'recognisable-rpc-key'
  await using service = await startService({
    logLevel: 'trace',
    logTo: { write: (line) => void (log += line) },
    adminApiKey,
    production: true,
    rateLimits: true,
    accountLimit: { burst: 10_000, perSecond: 100 },
    rpcUrls: { '1': `http://127.0.0.1:9/v2/${rpcKey}` },
    smtpUrl: 'smtp://person:recognisable-password@127.0.0.1:9',
  })
  const { app, ctx } = service
  const { message, nonce } = await service.anonymous.getNonce({ address: alice })
  const sig = await account.signMessage({ message })
  const signIn = { address: alice, msg: message, nonce, sig, name: 'recognisable-name' }
  const post = (url: string, body: object, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    })
  const signedIn = await post('/signin', signIn)
  const token = String(signedIn.headers.authorization).replace('Bearer ', '')
  const elsewhere = await issueToken({ config: { ...ctx.config, publicUrl: 'https://evil.example' } }, alice)

  const made = await post(
    '/v1/api_keys',
    { label: text, scopes: ['inbox:read', 'dm:begin'] },
    { authorization: `Bearer ${token}` },
  )
  const apiKey = made.json()[0].key as string
  // One key is malformed, and one does not exist.
  const wrongKeys = [`${apiKey}x`, apiKey.replace(/.{8}$/, 'AAAAAAAA')]

  const hook = await newHookOf(service, alice, nft)
  const wrongHooks = [`${hook}x`, hook.replace(/.{8}$/, 'AAAAAAAA')]

  const browser = openBrowser(app)
  await browser.signIn(account)
  const stolen = browser.cookie()
  await browser.renew(alice)
  await browser.renew(alice)

  let calls = 0
  const callAll = async () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(contract)) {
      // These endpoints would make the token invalid for the other calls.
      if (name.startsWith('signOut') || name === 'eraseAccount') continue
      const url = endpoint.path.replace(/\{(\w+)\}/g, (_, param) =>
        param === 'id' || param === 'nftid' || param === 'time'
          ? '1'
          : param === 'type'
            ? 'dm'
            : param === 'secret'
              ? [hook, ...wrongHooks][calls % 3]!
              : encodeURIComponent(
                  param === 'email' ? email : param === 'verification_code' ? 'recognisable-code' : alice,
                ),
      )
      const bodies = endpoint.body
        ? [valid[name as keyof typeof contract] ?? signIn, wrong(endpoint), [text]]
        : [undefined]
      for (const authorization of [
        `Bearer ${token}`,
        `Bearer ${elsewhere}`,
        `Bearer ${adminApiKey}`,
        ...[apiKey, ...wrongKeys].map((key) => `Bearer ${key}`),
      ])
        for (const body of bodies)
          await app.inject({
            // An event stream never ends, so only its head is read.
            method: endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method,
            url: `${url}?token=${token}&q=${encodeURIComponent(text)}`,
            headers: {
              authorization,
              cookie: stolen,
              'sec-fetch-site': 'same-origin',
              'idempotency-key': `recognisable-key-${calls++}`,
              ...(body && { 'content-type': 'application/json' }),
            },
            ...(body && { payload: JSON.stringify(body) }),
          })
    }
  }
  await callAll()
  // These paths belong to no endpoint, and these bodies are malformed.
  for (const secret of [hook, ...wrongHooks])
    for (const method of ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'] as const)
      for (const url of [
        `/v1/hooks/${secret}`,
        `/v1/hooks/${secret}/`,
        `/v1/hooks/${secret}/more`,
        `/v1/hooks/${secret}%ZZ`,
        `/v1/hooks/${secret}%00`,
        `//v1/hooks/${secret}`,
        `/v1/Hooks/${secret}`,
        `/docs/${secret}`,
        `/v1/hooks/${secret}?${secret}`,
      ])
        for (const payload of ['{', '{"text":5}', `payload=${encodeURIComponent('{"text":""}')}`])
          await app.inject({
            method,
            url,
            headers: {
              'content-type': payload.startsWith('{') ? 'text/plain' : 'application/x-www-form-urlencoded',
              referer: `https://evil.example/${secret}`,
            },
            payload,
          })
  // No mail server listens there.
  await post('/v1/update_settings', { walletaddr: alice, email }, { authorization: `Bearer ${token}` })
  await service.runJobs()

  await app.inject({
    method: 'DELETE',
    url: `/v1/account/${bob}`,
    headers: { authorization: `Bearer ${await issueToken(ctx, bob)}` },
  })

  // The database refuses values and quotes them; then its tables are missing.
  await ctx.db.query(
    `alter table direct_messages add constraint picky check (message not like '%recognisable%') not valid`,
  )
  await ctx.db.query(`alter table settings add constraint choosy check (email is null) not valid`)
  await callAll()
  await ctx.db.query('drop table direct_messages, settings, names, comments cascade')
  await callAll()
  await service.runJobs().catch(() => {})
  await app.inject({
    method: 'DELETE',
    url: `/v1/account/${alice}`,
    headers: { authorization: `Bearer ${token}` },
  })
  await app.inject({
    method: 'POST',
    url: '/signin',
    payload: `{"sig":"${sig}`,
    headers: { 'content-type': 'application/json' },
  })

  for (const sign of ['a request failed', 'answered', '23514', 'did not answer', 'a job failed'])
    expect(log.includes(sign), sign).toBe(true)
  const secrets = {
    token,
    'half a token': token.split('.')[2]!,
    'the token of a session': stolen.split('.')[2]!,
    'its next one': browser.cookie().split('.')[2]!,
    'a token of another site': elsewhere.split('.')[2]!,
    'the beginning of an API key': apiKey.slice(4, 24),
    'its hash': createHash('sha256').update(apiKey).digest('hex'),
    'its hash as base64': createHash('sha256').update(apiKey).digest('base64url'),
    'the beginning of the secret of a hook': hook.slice(4, 24),
    'its hash as hex': createHash('sha256').update(hook).digest('hex'),
    'its hash as base64url': createHash('sha256').update(hook).digest('base64url'),
    testSecret,
    adminApiKey,
    sig,
    nonce,
    text,
    'the text as base64': Buffer.from(text).toString('base64').slice(0, 20),
    email,
    alice,
    'the address with its checksum': account.address,
    bob,
    rpcKey,
    password: 'recognisable-password',
    anything: 'recognisable',
  }
  for (const [what, value] of Object.entries(secrets)) {
    const at = log.indexOf(value)
    expect(at === -1 ? '' : log.slice(Math.max(0, at - 300), at + 100), what).toBe('')
  }
}, 120_000)

test.each([
  { accessLog: true, lines: [{ method: 'GET', route: '/users/:address/nonce', status: 200 }] },
  { accessLog: false, lines: [] },
])('a line for each request is logged when ACCESS_LOG is on: $accessLog', async ({ accessLog, lines }) => {
  let log = ''
  const logTo = { write: (line: string) => void (log += line) }
  await using service = await startService({ logLevel: 'info', accessLog, logTo })
  await service.anonymous.getNonce({ address: 'recognisable' })
  const answered = log.split('\n').flatMap((line) => (line.includes('"answered"') ? [JSON.parse(line)] : []))
  expect(answered).toMatchObject(lines)
  expect(log).not.toContain('recognisable')
})

test('an error is logged with its code and place, and without what it quotes', () => {
  let log = ''
  const logger = createLog('error', { write: (line) => void (log += line) })
  const quoting = Object.assign(new Error('duplicate key: "secret"'), {
    severity: 'ERROR',
    code: '23505',
    detail: 'Key (email)=(secret)',
    table: 'settings',
    constraint: 'settings_pkey',
  })
  logger.error({ err: new Error('outer', { cause: quoting }) }, 'it failed')
  const { err } = JSON.parse(log)
  expect(err.cause).toMatchObject({ code: '23505', message: 'SQLSTATE 23505 on settings by settings_pkey' })
  expect(err.cause.stack).toContain('log.test.ts')
  expect(log).not.toContain('secret')
})
