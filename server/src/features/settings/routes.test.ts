import { createHash } from 'node:crypto'
import type { SettingsUpdate } from '@parley/sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken, newWallet, useService } from '../../../../testing/service/service.ts'
import { startSmtp } from '../../../../testing/outside/smtp.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'
const publicUrl = 'https://chat.example.org/parley'

let smtp: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => void (smtp = await startSmtp()))
afterAll(() => smtp[Symbol.asyncDispose]())
const service = useService(() => ({ adminApiKey, publicUrl, smtpUrl: smtp.url, mailsOfNetwork: 1000 }))
const beside = useService(() => ({ beside: service, publicUrl, smtpUrl: smtp.url }))

let count = 0
const newEmail = () => `Alice.${++count}@example.org`

async function newcomer() {
  const wallet = newWallet()
  const client = await service.as(wallet)
  return {
    wallet,
    client,
    update: async (changes: Omit<SettingsUpdate, 'walletaddr'>) =>
      (await client.updateSettings({ body: { walletaddr: wallet, ...changes } }))[0]!,
    read: async () => (await client.getSettings({ address: wallet }))[0],
  }
}

const byAdmin = (body: object, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/update_settings',
    headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'text/plain', ...headers },
    payload: JSON.stringify(body),
  })

/** Returns the mails to an address so far. */
async function mailsTo(email: string) {
  await service.runJobs()
  return smtp.inbox.filter(({ recipients }) =>
    recipients.includes(email.replace(/@.*/, (d) => d.toLowerCase())),
  )
}

/** Returns the path of the link in the newest confirmation mail to an address. */
async function linkTo(email: string): Promise<string> {
  const { mail } = (await mailsTo(email)).at(-1)!
  const [link] = /https:\S+\/v1\/verify_email\/\S+/.exec(mail.text!)!
  expect(link.startsWith(`${publicUrl}/`)).toBe(true)
  return link.slice(publicUrl.length)
}

const get = (url: string, accept = '*/*') => service.app.inject({ url, headers: { accept } })
/** Sends a GET with the token of a wallet. */
const getAs = async (wallet: string, url: string, on = service) =>
  on.app.inject({ url, headers: { authorization: `Bearer ${await newToken(service.ctx, wallet)}` } })
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const press = (url: string) =>
  service.app.inject({
    method: 'POST',
    url,
    headers: { accept: browser, 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
  })

describe('settings', () => {
  test('what is set is answered and read again; what was never set is left out', async () => {
    const t = await newcomer()
    expect(await t.client.getSettings({ address: t.wallet })).toEqual([])
    const answer = await t.update({ notify24: 'true', signupsite: 'https://a.example' })
    expect(answer).toEqual({
      id: expect.any(Number),
      walletaddr: t.wallet,
      notify24: 'true',
      notifydm: 'false',
      signupsite: 'https://a.example',
      verified: 'false',
    })
    expect(await t.read()).toEqual(answer)
  })

  test('a field that is left out stays as it is, null clears it', async () => {
    const t = await newcomer()
    const email = newEmail()
    await t.update({ email, domain: 'alice.eth', notify24: 'true', notifydm: 'true', signupsite: 's' })
    expect(await t.update({ notifydm: 'false' })).toMatchObject({
      email,
      domain: 'alice.eth',
      notify24: 'true',
      notifydm: 'false',
      signupsite: 's',
    })
    const cleared = await t.update({ email: null, domain: null, notify24: null, signupsite: null })
    expect(cleared).toEqual({
      id: expect.any(Number),
      walletaddr: t.wallet,
      notify24: 'false',
      notifydm: 'false',
      verified: 'false',
    })
  })

  test('any sequence of updates leaves what the last ones said', async () => {
    const text = fc.constantFrom('a', 'b', null)
    const flag = fc.constantFrom('true', 'false', null)
    const update = fc.record(
      { domain: text, signupsite: text, notify24: flag, notifydm: flag },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 5 }), async (updates) => {
        const t = await newcomer()
        for (const one of updates) await t.update(one)
        const { notify24, notifydm, ...texts } = Object.assign({}, ...updates)
        const left = Object.entries(texts).filter(([, value]) => value !== null)
        const { id: _id, walletaddr: _wallet, ...found } = (await t.read())!
        expect(found).toEqual({
          ...Object.fromEntries(left),
          notify24: notify24 ?? 'false',
          notifydm: notifydm ?? 'false',
          verified: 'false',
        })
      }),
      { numRuns: 20 },
    )
  })

  test('verified and id of a request are ignored', async () => {
    const t = await newcomer()
    const forged = { email: newEmail(), verified: 'true', id: 7 } as object
    const answer = await t.update(forged)
    expect(answer.verified).toBe('false')
    expect(await t.update({ notifydm: 'true' })).toMatchObject({ id: answer.id, verified: 'false' })
  })

  test('a wallet neither reads, changes nor deletes the settings of another', async () => {
    const t = await newcomer()
    const eve = await newcomer()
    await t.update({ notifydm: 'true' })
    const attempts = await Promise.allSettled([
      eve.client.updateSettings({ body: { walletaddr: t.wallet, notifydm: 'false' } }),
      eve.client.getSettings({ address: t.wallet }),
      eve.client.deleteSettings({ address: t.wallet }),
    ])
    for (const attempt of attempts) expect(attempt).toMatchObject({ reason: { code: 'forbidden' } })
    expect(await t.read()).toMatchObject({ notifydm: 'true' })
  })

  test('deleted settings are gone, and deleting again is no error', async () => {
    const t = await newcomer()
    await t.update({ email: newEmail() })
    await t.client.deleteSettings({ address: t.wallet })
    await t.client.deleteSettings({ address: t.wallet })
    expect(await t.read()).toBeUndefined()
  })

  test.each([
    ['a flag that is a JSON boolean', { notifydm: true }, '/body/notifydm'],
    ['a flag that is another word', { notify24: 'yes' }, '/body/notify24'],
    ['an e-mail that is none', { email: 'alice' }, '/body/email'],
    ['an e-mail with a second line', { email: 'a@example.org\r\nBcc: b@example.org' }, '/body/email'],
    ['two e-mails', { email: 'a@example.org,b@example.org' }, '/body/email'],
    ['an e-mail with a name', { email: 'Alice <a@example.org>' }, '/body/email'],
    ['an e-mail without a domain', { email: 'a@localhost' }, '/body/email'],
    ['an e-mail at a number', { email: 'a@127.0.0.1' }, '/body/email'],
    ['an e-mail that is too long', { email: `a@${'b.'.repeat(130)}org` }, '/body/email'],
    ['a quoted e-mail', { email: '"a b"@example.org' }, '/body/email'],
    ['a text that cannot be stored', { domain: 'a\0b' }, '/body/domain'],
    ['a text that is too long', { domain: 'a'.repeat(256) }, '/body/domain'],
    ['a number', { signupsite: 5 }, '/body/signupsite'],
  ])('%s is 400', async (_what, changes, pointer) => {
    const t = await newcomer()
    const answer = t.update(changes as SettingsUpdate)
    await expect(answer).rejects.toMatchObject({ code: 'bad_request', errors: [{ pointer }] })
    expect(await t.read()).toBeUndefined()
  })

  test('addresses in any script are kept as they were written', async () => {
    for (const email of ['jörg+tag@bücher.example', '用户@例子.广告', "o'brien_x%y@EXAMPLE.org"])
      expect((await (await newcomer()).update({ email })).email).toBe(email)
  })

  test('an idempotency key makes a repetition safe', async () => {
    const t = await newcomer()
    const body = { walletaddr: t.wallet, email: newEmail() }
    const first = await t.client.updateSettings({ body }, { idempotencyKey: 'once' })
    expect(await t.client.updateSettings({ body }, { idempotencyKey: 'once' })).toEqual(first)
    expect(await mailsTo(body.email)).toHaveLength(1)
  })
})

describe('confirmation', () => {
  test('a new address is unconfirmed and gets one mail; the answer shows no code', async () => {
    const t = await newcomer()
    const email = newEmail()
    expect(Object.keys(await t.update({ email })).toSorted()).toEqual(
      ['email', 'id', 'notify24', 'notifydm', 'verified', 'walletaddr'].toSorted(),
    )
    await t.update({ email, notifydm: 'true' })
    const [received, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(received!.recipients).toHaveLength(1)
    const code = (await linkTo(email)).split('/').at(-1)!
    expect(Buffer.from(code, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
    const kept = JSON.stringify([
      await service.ctx.db.query('select * from settings'),
      await service.ctx.db.query('select payload from graphile_worker._private_jobs'),
    ])
    expect(kept).not.toContain(code)
  })

  test('a GET with the token of the wallet confirms at once, and the code is good once', async () => {
    const t = await newcomer()
    const email = newEmail()
    await t.update({ email })
    const link = await linkTo(email)
    const answer = await getAs(t.wallet, link)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.json()).toEqual([await t.read()])
    expect(await t.read()).toMatchObject({ email, verified: 'true' })
    expect((await getAs(t.wallet, link)).statusCode).toBe(404)
    expect(await t.read()).toMatchObject({ verified: 'true' })
    expect(await t.update({ email: email.replace('example', 'EXAMPLE') })).toMatchObject({ verified: 'true' })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('a browser sees a page whose button confirms; a scanner that opens the link confirms nothing', async () => {
    const [t, other] = [await newcomer(), await newcomer()]
    const email = newEmail()
    await t.update({ email })
    const link = await linkTo(email)
    const opened = await Promise.all([
      ...[browser, '*/*', 'application/json', ''].map((accept) => get(link, accept)),
      service.app.inject(link),
      getAs(other.wallet, link),
    ])
    for (const page of opened) {
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.body).toContain('<form method="post"><button>')
      expect(page.body).toContain(email)
    }
    const headers = { authorization: `Bearer ${await newToken(service.ctx, t.wallet)}` }
    expect((await service.app.inject({ method: 'HEAD', url: link, headers })).statusCode).toBe(200)
    for (const authorization of ['Bearer x', 'Basic eDp5'])
      expect((await service.app.inject({ url: link, headers: { authorization } })).statusCode).toBe(401)
    expect(await t.read()).toMatchObject({ verified: 'false' })
    const done = await press(link)
    expect([done.statusCode, done.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await t.read()).toMatchObject({ verified: 'true' })
    for (const again of [await get(link, browser), await press(link)]) {
      expect([again.statusCode, again.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(again.body).not.toContain('<form')
    }
  })

  test('the code of one address or wallet is of no use for another, nor one that is old, replaced or made up', async () => {
    const t = await newcomer()
    const other = await newcomer()
    const [email, otherEmail] = [newEmail(), newEmail()]
    await t.update({ email })
    await other.update({ email: otherEmail })
    const link = await linkTo(email)
    const [code, otherCode] = [link, await linkTo(otherEmail)].map((path) => path.split('/').at(-1)!)
    const bad = [
      `/v1/verify_email/${otherEmail}/${code}`,
      `/v1/verify_email/${email}/${otherCode}`,
      `/v1/verify_email/${email}/${code!.slice(0, -1)}`,
      `/v1/verify_email/${email}/${'A'.repeat(22)}`,
      `/v1/verify_email/${email}/%F0%9F%94%91`,
    ]
    const answers = await Promise.all(bad.map((url) => getAs(t.wallet, url)))
    const texts = answers.map(({ json, statusCode }) => [statusCode, json().detail])
    for (const text of texts) expect(text).toEqual([404, texts[0]![1]])

    await t.update({ email: newEmail() })
    await t.update({ email: null })
    expect((await get(link)).statusCode).toBe(404)
    await other.client.deleteSettings({ address: other.wallet })
    expect((await get(`/v1/verify_email/${otherEmail}/${otherCode}`)).statusCode).toBe(404)
  })

  test('after 24 hours a code is no longer good, and setting the address again brings a new one', async () => {
    const t = await newcomer()
    const email = newEmail()
    await t.update({ email })
    const link = await linkTo(email)
    await service.ctx.db.query(
      'update settings set verification_expires_ms = verification_expires_ms - 86400000 where walletaddr = $1',
      [t.wallet],
    )
    expect((await get(link)).statusCode).toBe(404)
    await t.update({ email })
    expect(await mailsTo(email)).toHaveLength(2)
    expect((await getAs(t.wallet, await linkTo(email))).statusCode).toBe(200)
  })

  test('another address is unconfirmed again', async () => {
    const t = await newcomer()
    const email = newEmail()
    await t.update({ email })
    await press(await linkTo(email))
    expect(await t.read()).toMatchObject({ verified: 'true' })
    expect(await t.update({ email: newEmail() })).toMatchObject({ verified: 'false' })
  })

  test('an address changed before its mail went out gets none', async () => {
    const t = await newcomer()
    const [first, second] = [newEmail(), newEmail()]
    await t.update({ email: first })
    await t.update({ email: second })
    expect(await mailsTo(first)).toHaveLength(0)
    expect(await mailsTo(second)).toHaveLength(1)
  })

  test('of two updates at once one mail goes out, and its code works; of two confirmations one succeeds', async () => {
    const t = await newcomer()
    const email = newEmail()
    const clients = [t.client, await beside.as(t.wallet)]
    const body = { walletaddr: t.wallet, email }
    await Promise.all(Array.from({ length: 8 }, (_, i) => clients[i % 2]!.updateSettings({ body })))
    expect(await mailsTo(email)).toHaveLength(1)
    const link = await linkTo(email)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => getAs(t.wallet, link, i % 2 ? service : beside)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })
})

describe('the admin', () => {
  test('stores an address as confirmed, without a mail', async () => {
    const t = await newcomer()
    const email = newEmail()
    const answer = await byAdmin({ walletaddr: t.wallet, email })
    expect([answer.statusCode, answer.json()]).toEqual([200, [await t.read()]])
    expect(await t.read()).toMatchObject({ email, verified: 'true' })
    expect(await mailsTo(email)).toEqual([])
    expect((await byAdmin({ walletaddr: t.wallet, email: null })).json()).toMatchObject([
      { verified: 'false' },
    ])
  })

  test('makes the code of an earlier mail useless', async () => {
    const t = await newcomer()
    const email = newEmail()
    await t.update({ email })
    const link = await linkTo(email)
    await byAdmin({ walletaddr: t.wallet, email: newEmail() })
    expect((await get(link)).statusCode).toBe(404)
  })

  test('is refused in a browser, and on reading and deleting', async () => {
    const { wallet } = await newcomer()
    expect((await byAdmin({ walletaddr: wallet }, { origin: 'https://a.example' })).statusCode).toBe(403)
    const headers = { authorization: `Bearer ${adminApiKey}` }
    expect((await service.app.inject({ url: `/v1/get_settings/${wallet}`, headers })).statusCode).toBe(403)
  })
})

test('the pages bring everything with them, and what is in the link is escaped', async () => {
  const t = await newcomer()
  const email = "a&'=b@example.org"
  await t.update({ email })
  const page = await get(await linkTo(email), browser)
  expect(page.body).toContain('a&amp;&#39;=b@example.org')
  expect(page.body).not.toMatch(/https?:|src=|<script|<link|\son\w+=/)
  const [, style] = /<style>([\s\S]*)<\/style>/.exec(page.body)!
  const hash = createHash('sha256').update(style!).digest('base64')
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  expect(page.body).toContain('prefers-color-scheme: dark')
  const dead = await get('/v1/verify_email/a@example.org/%3Cscript%3E', browser)
  expect([dead.statusCode, dead.body.includes('script')]).toEqual([404, false])
})
