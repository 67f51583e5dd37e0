// A wallet is handed over into a second browser, and thieves try to be that browser.

import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  newLink,
  hashOf,
  ofOwnPage,
  openLink,
  takeLink,
  tryOpening,
} from '../../../../testing/people/handing-over.ts'
import { clientOf, newWallet, useService } from '../../../../testing/service/service.ts'
import { openBrowser } from '../../../../testing/service/session-browser.ts'
import { issueToken } from '../../auth/tokens.ts'
import { deleteExpiredHandovers } from './handovers.ts'

const service = useService({ refreshEvery: 100 })
const other = useService({ beside: service, refreshEvery: 100 })

/** Returns a wallet that is signed in in Firefox on Linux, and has made a link. */
async function startHandover() {
  const account = privateKeyToAccount(generatePrivateKey())
  const browser = openBrowser(service.app)
  await browser.signIn(account)
  const client = clientOf(service.app, { token: browser.token() })
  const link = newLink()
  const made = await client.createHandover({ body: { code_hash: hashOf(link.code) } })
  return { account, address: account.address.toLowerCase(), browser, client, link, made }
}

const ended = { statusCode: 401 }
const anotherThan = (number: number, numbers: number[] = []) => numbers.find((one) => one !== number)!

test('a second browser is signed in, on another instance, when its number was chosen; it is listed, and ends like any other', async () => {
  const { address, browser, client, link, made } = await startHandover()
  expect(made).toMatchObject({ state: 'waiting' })
  const watched = clientOf(other.app, { token: browser.token() })
  expect(await watched.getHandover({})).toMatchObject({ state: 'waiting' })
  const waits = watched.getHandover({ query: { after: 'waiting' } })

  const opened = await openLink(other, link)
  expect(opened).toMatchObject({ address, browser: 'Firefox on Linux' })
  const shown = await waits
  expect(shown).toMatchObject({ state: 'opened', browser: 'Safari on iOS' })
  expect(shown.numbers).toContain(opened.number)
  expect(new Set(shown.numbers).size).toBe(3)

  const taking = other.app.inject({
    method: 'POST',
    url: '/v1/handovers/take',
    headers: ofOwnPage,
    payload: { claim: link.claim },
  })
  await client.confirmHandover({ body: { number: opened.number, sealed: 'sealed keys' } })
  const taken = await taking
  expect(taken.json()).toEqual({ state: 'done', expires_in: 3600, sealed: 'sealed keys' })
  expect(taken.headers['cache-control']).toBe('no-store')
  expect(String(taken.headers['set-cookie'])).toMatch(/^parley-session=.*HttpOnly; SameSite=Strict/)
  expect(await client.getHandover({})).toMatchObject({ state: 'done' })

  const second = openBrowser(other.app)
  const renewed = await second.renew(address, String(taken.headers['set-cookie']).split(';')[0])
  expect(renewed.statusCode).toBe(200)
  const listed = await client.listSessions({ address })
  const there = listed.find(({ current }) => !current)!
  expect(there).toMatchObject({ browser: 'Safari on iOS', handed_over_by: 'Firefox on Linux' })
  expect(listed.find(({ current }) => current)).not.toHaveProperty('handed_over_by')
  expect(await client.listNotices()).toMatchObject([
    { action: 'browser_handed_over', reason: 'Safari on iOS' },
  ])
  await client.endSession({ address, session: there.id })
  expect((await second.renew(address)).statusCode).toBe(401)
})

test('until the number is chosen the new browser gets nothing; an answer that was lost comes again, until the session was renewed', async () => {
  const { address, client, link } = await startHandover()
  expect(await takeLink(service, link.claim)).toMatchObject(ended)
  const { number } = await openLink(service, link)
  // The same browser may open it again.
  expect(await openLink(service, link)).toMatchObject({ number })
  const before = await takeLink(service, link.claim)
  expect(before.json()).toEqual({ state: 'opened' })
  expect([before.headers['authorization'], before.headers['set-cookie']]).toEqual([undefined, undefined])
  await client.confirmHandover({ body: { number } })
  const [one, two] = await Promise.all([takeLink(service, link.claim), takeLink(other, link.claim)])
  expect(two.headers['set-cookie']).toBe(one.headers['set-cookie'])
  expect(await client.listSessions({ address })).toHaveLength(2)
  expect(await client.listNotices()).toHaveLength(1)
  await openBrowser(service.app).renew(address, String(one.headers['set-cookie']).split(';')[0])
  expect(await takeLink(service, link.claim)).toMatchObject(ended)
})

test('a link that two browsers open, also at once, signs in neither', async () => {
  for (const at of ['once', 'after it was chosen']) {
    const { client, link } = await startHandover()
    const thief = { ...link, claim: newLink().claim }
    const first = at === 'once' ? undefined : await openLink(service, link)
    if (first) await client.confirmHandover({ body: { number: first.number } })
    const answers = await Promise.all([
      first ? undefined : tryOpening(service, link),
      tryOpening(other, thief),
    ])
    expect(answers.filter((answer) => answer?.statusCode === 200)).toHaveLength(first ? 0 : 1)
    expect(await client.getHandover({})).toEqual({ state: 'none' })
    for (const { claim } of [link, thief]) expect(await takeLink(service, claim)).toMatchObject(ended)
  }
})

test('a wrong number ends it, also when the right one follows', async () => {
  const { client, link } = await startHandover()
  const { number } = await openLink(service, link)
  const { numbers } = await client.getHandover({})
  await expect(
    client.confirmHandover({ body: { number: anotherThan(number, numbers) } }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await expect(client.confirmHandover({ body: { number } })).rejects.toMatchObject({ code: 'not_found' })
  expect(await takeLink(service, link.claim)).toMatchObject(ended)
})

test('another wallet, another browser of the wallet and a link that nobody has opened confirm nothing', async () => {
  const { account, client, link } = await startHandover()
  await expect(client.confirmHandover({ body: { number: 10 } })).rejects.toMatchObject({ code: 'not_found' })
  const { number } = await openLink(service, link)
  const second = openBrowser(service.app)
  await second.signIn(account)
  for (const one of [clientOf(service.app, { token: second.token() }), await service.as(newWallet())]) {
    await expect(one.confirmHandover({ body: { number } })).rejects.toMatchObject({ code: 'not_found' })
    expect(await one.getHandover({})).toEqual({ state: 'none' })
  }
  expect((await takeLink(service, link.claim)).json()).toEqual({ state: 'opened' })
})

test('a link ends after five minutes, when another one is made, when it is cancelled, and with the sign-in that made it', async () => {
  const late = await startHandover()
  const taken = await startHandover()
  await taken.client.confirmHandover({ body: { number: (await openLink(service, taken.link)).number } })
  await service.ctx.db.query('update handovers set expires_ms = expires_ms - 300000')
  expect(await tryOpening(service, late.link)).toMatchObject(ended)
  expect(await takeLink(service, taken.link.claim)).toMatchObject(ended)
  await deleteExpiredHandovers(service.ctx.db)
  expect(await service.ctx.db.query('select code_hash from handovers')).toEqual([])

  const ends: Record<string, (of: Awaited<ReturnType<typeof startHandover>>) => Promise<unknown>> = {
    another: ({ client }) => client.createHandover({ body: { code_hash: hashOf(newLink().code) } }),
    cancelled: ({ client }) => client.cancelHandover(),
    'signed out': ({ client }) => client.signOut(),
    'signed out in the list': async ({ client, address }) => {
      const [current] = await client.listSessions({ address })
      await client.endSession({ address, session: current!.id })
    },
  }
  for (const [how, end] of Object.entries(ends)) {
    const one = await startHandover()
    await one.client.confirmHandover({ body: { number: (await openLink(service, one.link)).number } })
    await end(one)
    expect([how, (await takeLink(other, one.link.claim)).statusCode]).toEqual([how, 401])
    expect([how, (await tryOpening(other, one.link)).statusCode]).toEqual([how, 401])
  }
})

test('making one takes a recent sign-in of a browser that stays signed in; the new browser is as recent as that, and no more', async () => {
  const body = { code_hash: hashOf(newLink().code) }
  await expect((await service.as(newWallet())).createHandover({ body })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const { address, browser, client, link } = await startHandover()
  const [key] = await client.createApiKey({ body: { label: 'a program', scopes: ['inbox:read'] } })
  const program = clientOf(service.app, { token: key!.key! })
  await expect(program.createHandover({ body })).rejects.toMatchObject({ code: 'forbidden' })
  const { sid, auth_time: signedIn } = decodeJwt(browser.token()) as { sid: string; auth_time?: number }
  expect(signedIn).toBeUndefined()
  const old = await issueToken(service.ctx, address, { session: sid, signedIn: Date.now() - 3_700_000 })
  const late = clientOf(service.app, { token: old })
  await expect(late.createHandover({ body })).rejects.toMatchObject({ code: 'old_sign_in' })
  const { number } = await openLink(service, link)
  await expect(late.confirmHandover({ body: { number } })).rejects.toMatchObject({ code: 'old_sign_in' })

  const ago = 3_000_000
  await service.ctx.db.query('update handovers set signed_ms = signed_ms - $1', [ago])
  await client.confirmHandover({ body: { number } })
  const taken = await takeLink(service, link.claim)
  const second = openBrowser(service.app)
  await second.renew(address, String(taken.headers['set-cookie']).split(';')[0])
  for (const token of [String(taken.headers['authorization']).slice(7), second.token()]) {
    const { auth_time: since } = decodeJwt(token) as { auth_time: number }
    expect(Date.now() - since * 1000).toBeGreaterThanOrEqual(ago)
  }
})

const strict = useService({ beside: service, rateLimits: true, failedSignIns: 3 })

test('only pages of the service open and take a link; guesses are counted for the network address', async () => {
  const { link } = await startHandover()
  const foreign = { ...ofOwnPage, 'sec-fetch-site': 'cross-site' }
  expect((await tryOpening(service, link, foreign)).statusCode).toBe(403)
  expect((await takeLink(service, link.claim, foreign)).statusCode).toBe(403)

  const statuses: number[] = []
  for (let n = 0; n < 2; n++) {
    statuses.push((await tryOpening(strict, newLink())).statusCode)
    statuses.push((await takeLink(strict, newLink().claim)).statusCode)
  }
  expect(statuses).toEqual([401, 401, 401, 429])
  // Another network address, such as that of the person, is not locked out.
  expect((await tryOpening(service, link)).statusCode).toBe(200)
})
