import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { clientOf, newToken, type Service, useService } from '../../../../testing/service/service.ts'
import { openBrowser } from '../../../../testing/service/session-browser.ts'
import { deleteIdleSessions } from './sessions.ts'

const service = useService({ refreshEvery: 100 })
const other = useService({ beside: service, refreshEvery: 100 })
const after = 'the secret of today, which is long enough to sign tokens with'
const fresh = useService({ beside: service, jwtSecret: after })

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const addressOf = ({ address }: { address: string }) => address.toLowerCase()

const statusOf = async ({ app }: Service, address: string, token: string) =>
  (await app.inject({ url: `/v1/get_inbox/${address}`, headers: { authorization: `Bearer ${token}` } }))
    .statusCode

/** Moves all sessions into the past by some milliseconds. */
const letPass = ({ ctx }: Service, ms: number) =>
  ctx.db.query('update sessions set used_ms = used_ms - $1, created_ms = created_ms - $1', [ms])

const sessionsOf = ({ address }: { address: string }) =>
  service.ctx.db.query('select 1 as one from sessions where walletaddr = $1', [address.toLowerCase()])

const minute = 60_000
const day = 86_400_000

test('a sign-in with a session sets a cookie that scripts cannot read and only its renewal is sent; it gives new tokens', async () => {
  const [browser, account] = [openBrowser(service.app), newAccount()]
  const address = addressOf(account)
  const cookie = await browser.signIn(account)
  expect(cookie).toMatch(/^parley-session=[\w-]{22}\.0\.[\w-]{43}; /)
  expect(cookie.split('; ').slice(1)).toEqual([
    `Path=/v1/session/${address}`,
    'Max-Age=2592000',
    'HttpOnly',
    'SameSite=Strict',
  ])
  const first = browser.token()
  const { exp, iat } = decodeJwt(first)
  expect(exp! - iat!).toBe(3600)
  expect(await statusOf(service, address, first)).toBe(200)

  const answer = await browser.renew(address)
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, 3600, 'no-store'])
  expect(browser.cookie()).not.toBe(cookie.split(';')[0])
  expect(await statusOf(service, address, browser.token())).toBe(200)
  // Nothing else is allowed by the cookie.
  const elsewhere = await service.app.inject({
    url: `/v1/get_inbox/${address}`,
    headers: { cookie: browser.cookie() },
  })
  expect(elsewhere.statusCode).toBe(401)
})

test('a sign-in without a session is as before: a token for a day, and no cookie', async () => {
  const account = newAccount()
  const { message } = await service.anonymous.getNonce({ address: account.address })
  const sig = await account.signMessage({ message })
  const payload = { address: account.address, msg: message, sig }
  const answer = await service.app.inject({ method: 'POST', url: '/signin', payload })
  expect([answer.json(), answer.headers['set-cookie']]).toEqual([86_400, undefined])
})

const secure = useService({
  beside: service,
  publicUrl: 'https://chat.example.org',
  allowedDomains: ['chat.example.org'],
})

test('over HTTPS the cookie is for HTTPS alone', async () => {
  const [browser, account] = [openBrowser(secure.app), newAccount()]
  const cookie = await browser.signIn(account)
  expect(cookie).toMatch(/^__Secure-parley-session=.*; Secure$/)
  expect((await browser.renew(account.address)).statusCode).toBe(200)
})

const foreign: Record<string, Record<string, string>> = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'another subdomain': { 'sec-fetch-site': 'same-site' },
  'the address bar': { 'sec-fetch-site': 'none' },
  'another origin, in a browser without Sec-Fetch-Site': {
    'sec-fetch-site': '',
    origin: 'https://evil.example',
    host: 'chat.example',
  },
  'an opaque origin': { 'sec-fetch-site': '', origin: 'null', host: 'chat.example' },
  'a program that is no browser': { 'sec-fetch-site': '' },
}

test.each(Object.entries(foreign))(
  '%s neither signs in with a session nor renews one',
  async (_from, headers) => {
    const [browser, account] = [openBrowser(service.app), newAccount()]
    await browser.signIn(account)
    const without = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const request = { ...(headers['sec-fetch-site'] ? { 'sec-fetch-site': 'same-origin' } : {}), ...without }
    const answer = await service.app.inject({
      method: 'POST',
      url: `/v1/session/${account.address}`,
      headers: { cookie: browser.cookie(), ...request },
    })
    expect([answer.statusCode, answer.headers['set-cookie'], answer.headers['authorization']]).toEqual([
      403,
      undefined,
      undefined,
    ])
    const signIn = await service.app.inject({
      method: 'POST',
      url: '/signin',
      headers: request,
      payload: { address: account.address, msg: 'a', sig: '0x00', session: true },
    })
    expect(signIn.statusCode).toBe(403)
    // The session goes on.
    expect((await browser.renew(account.address)).statusCode).toBe(200)
  },
)

const behindProxy = useService({
  beside: service,
  publicUrl: 'http://chat.example:8080',
  allowedDomains: ['chat.example:8080'],
})

test('without Sec-Fetch-Site the origin of the page counts, by the Host or the public address', async () => {
  const account = newAccount()
  const page = (origin: string, host: string) => openBrowser(behindProxy.app, { origin, host })
  await page('http://192.168.0.7:8080', '192.168.0.7:8080').signIn(account)
  await page('http://chat.example:8080', 'upstream:3000').signIn(account)
  await expect(page('http://evil.example', 'chat.example:8080').signIn(account)).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('tabs that renew at once get the same next cookie, on any instance; a later use of the old one ends the session', async () => {
  const [tab, copy, account] = [openBrowser(service.app), openBrowser(other.app), newAccount()]
  const address = addressOf(account)
  await tab.signIn(account)
  const old = tab.cookie()
  const answers = await Promise.all(
    [service, other, service, other].map(({ app }) => openBrowser(app).renew(address, old)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ headers }) => headers['set-cookie'])).size).toBe(1)
  // The response was lost: within a minute it may be requested again.
  expect((await tab.renew(address, old)).statusCode).toBe(200)
  const token = tab.token()

  await letPass(service, minute)
  const late = await copy.renew(address, old)
  expect(late.statusCode).toBe(401)
  expect(late.json().detail).toMatch(/no longer signed in/)
  expect(late.headers['set-cookie']).toMatch(/=; .*Max-Age=0/)
  // Nobody can know which of the two is the thief: both are out.
  expect((await tab.renew(address)).statusCode).toBe(401)
  expect(await statusOf(other, address, token)).toBe(401)
  await expect.poll(() => statusOf(service, address, token), { timeout: 5_000 }).toBe(401)
})

test('a cookie two renewals old ends the session at once', async () => {
  const [browser, account] = [openBrowser(service.app), newAccount()]
  await browser.signIn(account)
  const old = browser.cookie()
  for (let n = 0; n < 2; n++) expect((await browser.renew(account.address)).statusCode).toBe(200)
  expect((await browser.renew(account.address, old)).statusCode).toBe(401)
  expect((await browser.renew(account.address)).statusCode).toBe(401)
})

test('a cookie that was made up, is another wallet’s or of another secret is refused, and ends nothing', async () => {
  const [browser, account, eve] = [openBrowser(service.app), newAccount(), newAccount()]
  await browser.signIn(account)
  const evesBrowser = openBrowser(service.app)
  await evesBrowser.signIn(eve)
  const [name, value] = browser.cookie().split('=') as [string, string]
  const [id, , mac] = value.split('.')
  const bad = [
    '',
    name,
    `${name}=`,
    `${name}=${id}.1.${mac}`,
    `${name}=${id}.0.${mac!.slice(1)}A`,
    evesBrowser.cookie(),
  ]
  for (const cookie of bad)
    expect((await browser.renew(account.address, cookie)).statusCode, cookie).toBe(401)
  expect((await openBrowser(fresh.app).renew(account.address, browser.cookie())).statusCode).toBe(401)
  expect((await browser.renew(account.address)).statusCode).toBe(200)
})

test('a session ends after 30 days without a renewal', async () => {
  const [browser, account] = [openBrowser(service.app), newAccount()]
  const client = clientOf(service.app, { token: await newToken(service.ctx, account.address) })
  await browser.signIn(account)
  await letPass(service, 29 * day)
  expect((await browser.renew(account.address)).statusCode).toBe(200)
  await letPass(service, 30 * day)
  expect(await client.listSessions({ address: account.address })).toEqual([])
  expect((await browser.renew(account.address)).statusCode).toBe(401)
  await deleteIdleSessions(service.ctx.db)
  expect(await sessionsOf(account)).toEqual([])
})

test('sessions are listed with their browser, and one can be ended from another: its tokens and its renewal', async () => {
  const account = newAccount()
  const address = addressOf(account)
  const phone = openBrowser(service.app, {
    'sec-fetch-site': 'same-origin',
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
  })
  const laptop = openBrowser(other.app)
  await phone.signIn(account)
  await letPass(service, minute)
  await laptop.signIn(account)
  const client = clientOf(service.app, { token: laptop.token() })
  const listed = await client.listSessions({ address })
  expect(listed.map(({ browser, current }) => [browser, current])).toEqual([
    ['Firefox on Linux', true],
    ['Safari on iOS', false],
  ])
  expect(Date.parse(listed[0]!.created_at)).toBeGreaterThan(Date.parse(listed[1]!.used_at))
  expect(JSON.stringify(listed)).not.toContain(phone.cookie().split('.')[2])

  const session = listed[1]!.id
  await client.endSession({ address, session })
  expect(await statusOf(service, address, phone.token())).toBe(401)
  await expect.poll(() => statusOf(other, address, phone.token()), { timeout: 5_000 }).toBe(401)
  expect((await phone.renew(address)).statusCode).toBe(401)
  expect(await client.listSessions({ address })).toHaveLength(1)
  await expect(client.endSession({ address, session })).rejects.toMatchObject({ code: 'not_found' })
})

test('nobody lists or ends the sessions of another wallet', async () => {
  const [browser, eve, account] = [openBrowser(service.app), openBrowser(service.app), newAccount()]
  await browser.signIn(account)
  await eve.signIn(newAccount())
  const { sid: session } = decodeJwt<{ sid: string }>(browser.token())
  const [asEve, address] = [clientOf(service.app, { token: eve.token() }), addressOf(account)]
  await expect(asEve.listSessions({ address })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(asEve.endSession({ address, session })).rejects.toMatchObject({ code: 'forbidden' })
  const own = decodeJwt(eve.token()).sub!
  await expect(asEve.endSession({ address: own, session })).rejects.toMatchObject({ code: 'not_found' })
  expect(await statusOf(service, address, browser.token())).toBe(200)
})

test('signing out ends this token and session on every instance, and no other of the wallet', async () => {
  const account = newAccount()
  const address = addressOf(account)
  const [phone, laptop] = [openBrowser(service.app), openBrowser(service.app)]
  await phone.signIn(account)
  await laptop.signIn(account)
  const [program, otherProgram] = [await newToken(service.ctx, address), await newToken(service.ctx, address)]
  const signOut = (token: string) =>
    service.app.inject({ method: 'POST', url: '/v1/signout', headers: { authorization: `Bearer ${token}` } })
  const early = phone.token()
  await phone.renew(address)
  const answer = await signOut(phone.token())
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['set-cookie']).toMatch(
    new RegExp(`^parley-session=; Path=/v1/session/${address}; Max-Age=0;`),
  )
  await signOut(program)
  for (const token of [phone.token(), early, program]) {
    expect(await statusOf(service, address, token)).toBe(401)
    await expect.poll(() => statusOf(other, address, token), { timeout: 5_000 }).toBe(401)
  }
  expect((await phone.renew(address)).statusCode).toBe(401)
  expect(await statusOf(service, address, otherProgram)).toBe(200)
  expect(await statusOf(other, address, laptop.token())).toBe(200)
  expect((await laptop.renew(address)).statusCode).toBe(200)
})

test('signing out everywhere and erasing the wallet end all of its sessions', async () => {
  const account = newAccount()
  const address = addressOf(account)
  for (const end of ['signOutEverywhere', 'eraseAccount'] as const) {
    const [phone, laptop] = [openBrowser(service.app), openBrowser(service.app)]
    await phone.signIn(account)
    await laptop.signIn(account)
    const client = clientOf(service.app, { token: laptop.token() })
    await (end === 'eraseAccount' ? client.eraseAccount({ address }) : client.signOutEverywhere())
    for (const browser of [phone, laptop]) {
      expect(await statusOf(service, address, browser.token())).toBe(401)
      expect((await browser.renew(address)).statusCode).toBe(401)
    }
    expect(await sessionsOf(account)).toEqual([])
  }
})

test('a wallet has twenty sessions at most, from however many sign-ins at once: those unused for longest end', async () => {
  const account = newAccount()
  const first = openBrowser(service.app)
  await first.signIn(account)
  await letPass(service, minute)
  const later = Array.from({ length: 24 }, () => openBrowser(service.app))
  await Promise.all(later.map((browser) => browser.signIn(account)))
  const client = clientOf(service.app, { token: later[0]!.token() })
  expect(await client.listSessions({ address: account.address })).toHaveLength(20)
  expect((await first.renew(account.address)).statusCode).toBe(401)
})

const both = useService(() => ({
  beside: service,
  jwtSecret: after,
  jwtSecretPrevious: service.ctx.config.jwtSecret,
}))

test('a new JWT_SECRET ends no session while the one before it is still accepted', async () => {
  const [browser, account] = [openBrowser(service.app), newAccount()]
  await browser.signIn(account)
  expect((await openBrowser(fresh.app).renew(account.address, browser.cookie())).statusCode).toBe(401)
  const renewed = openBrowser(both.app)
  expect((await renewed.renew(account.address, browser.cookie())).statusCode).toBe(200)
  expect((await openBrowser(fresh.app).renew(account.address, renewed.cookie())).statusCode).toBe(200)
})
