import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { test } from 'vitest'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newWallet, type Service, startService } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { limitOf } from '../src/limits/limits.ts'

const on = { rateLimits: true } as const
const few = { burst: 5, perSecond: 1 }

const bearer = async ({ ctx }: Service, wallet: string) => `Bearer ${await issueToken(ctx, wallet)}`

function caller({ app }: Service, authorization?: string, more: Record<string, string> = {}) {
  const headers = { ...(authorization && { authorization }), ...more }
  const call = (method: 'GET' | 'POST', url: string, body?: object) =>
    app.inject({
      method,
      url,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
      remoteAddress: '198.51.100.7',
    })
  return {
    get: (url: string) => call('GET', url),
    post: (url: string, body: object) => call('POST', url, body),
  }
}

const statuses = async (count: number, call: () => Promise<{ statusCode: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, call))
  return Object.groupBy(answers, ({ statusCode }) => String(statusCode))
}

test('a wallet has its burst; answers say what is left, and then how long to wait', async ({ expect }) => {
  await using service = await startService({ ...on, readLimit: few })
  const wallet = newWallet()
  const { get } = caller(service, await bearer(service, wallet))
  const first = await get(`/v1/get_inbox/${wallet}`)
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"read";q=5;w=5, "read-network";q=50;w=5',
    ratelimit: '"read";r=4;t=1',
  })
  for (let i = 0; i < 4; i++) expect((await get(`/v1/get_inbox/${wallet}`)).statusCode).toBe(200)
  const refused = await get(`/v1/get_inbox/${wallet}`)
  expect(refused.statusCode).toBe(429)
  expect(refused.headers).toMatchObject({
    'retry-after': '1',
    ratelimit: '"read";r=0;t=5',
    'access-control-allow-origin': '*',
  })
  expect(refused.json()).toMatchObject({
    type: '/docs/errors#rate_limited',
    detail: 'Too many requests: your wallet may make 5 of these at once and 1 a second. Try again in 1 s.',
  })
  // One a second is given back.
  await expect.poll(async () => (await get(`/v1/get_inbox/${wallet}`)).statusCode).toBe(200)
})

test('a page with hundreds of pictures leaves the budget of other reads, and has one of its own', async ({
  expect,
}) => {
  await using service = await startService({
    ...on,
    pictureReadLimit: { burst: 8, perSecond: 1 },
    readLimit: few,
  })
  const wallet = newWallet()
  const { get } = caller(service, await bearer(service, wallet))
  const picture = () => get(`/v1/picture/${newWallet()}`)
  const answers = await statuses(200, picture)
  expect(answers['200']!.length).toBeGreaterThanOrEqual(8)
  expect(answers['429']!.length).toBeGreaterThan(180)
  const policy = '"picture";q=8;w=8, "picture-network";q=80;w=8'
  expect((await picture()).headers).toMatchObject({ 'ratelimit-policy': policy })
  for (const path of [`/v1/image/${wallet}`, `/v1/nft_picture/${wallet}/1`])
    expect((await get(path)).statusCode).toBe(429)
  expect((await statuses(5, () => get(`/v1/get_inbox/${wallet}`)))['200']).toHaveLength(5)
  // By default all rows of a long list have theirs at once.
  await using usual = await startService(on)
  const ofUsual = caller(usual, await bearer(usual, wallet))
  const found = await statuses(500, () => ofUsual.get(`/v1/picture/${newWallet()}`))
  expect(found['200']).toHaveLength(500)
})

test('every answer that is a picture counts as one', ({ expect }) => {
  const pictures = Object.entries<Endpoint>(contract).filter(
    ([, { method, response }]) => method === 'GET' && JSON.stringify(response)?.includes('"base64data"'),
  )
  expect(pictures.map(([name, endpoint]) => [name, limitOf(endpoint)])).toEqual(
    pictures.map(([name]) => [name, 'picture']),
  )
  expect(pictures.length).toBeGreaterThan(2)
})

test('reading, writing and what a wallet sets about itself have budgets of their own', async ({ expect }) => {
  await using service = await startService({
    ...on,
    readLimit: few,
    writeLimit: { burst: 3, perSecond: 1 },
    accountLimit: { burst: 2, perSecond: 1 },
  })
  const wallet = newWallet()
  const { get, post } = caller(service, await bearer(service, wallet))
  const message = { fromaddr: wallet, toaddr: 'bob', message: 'hi' }
  expect((await statuses(4, () => post('/v1/create_chatitem', message)))['200']).toHaveLength(3)
  const bookmark = { walletaddr: wallet, nftaddr: 'x' }
  expect((await statuses(4, () => post('/v1/create_bookmark', bookmark)))['200']).toHaveLength(2)
  // Another name, the same budget.
  expect((await post('/v1/name', { address: wallet, name: 'zoe' })).statusCode).toBe(429)
  // A GET counts as a read, also of bookmarks.
  expect((await statuses(6, () => get(`/v1/get_bookmarks/${wallet}`)))['200']).toHaveLength(5)
})

test('another wallet has a budget of its own, but a network address makes no more by making wallets', async ({
  expect,
}) => {
  await using service = await startService({ ...on, readLimit: few, ipLimitFactor: 2 })
  let answered = 0
  for (let i = 0; i < 5; i++) {
    const wallet = newWallet()
    const { get } = caller(service, await bearer(service, wallet))
    answered += (await statuses(4, () => get(`/v1/get_inbox/${wallet}`)))['200']?.length ?? 0
  }
  expect(answered).toBe(10)
})

test('without a good token a network address counts, and a bad token is no way around it', async ({
  expect,
}) => {
  await using service = await startService({ ...on, readLimit: few })
  const { get } = caller(service)
  const first = await get('/users/abc/nonce')
  expect(first.headers['ratelimit-policy']).toBe('"read-anonymous";q=5;w=5')
  const { get: forged } = caller(service, 'Bearer nonsense')
  expect(await statuses(6, () => forged('/v1/get_inbox/abc'))).toMatchObject({
    401: { length: 4 },
    429: { length: 2 },
  })
  expect((await get('/users/abc/nonce')).statusCode).toBe(429)
  // Signed-in wallets are not affected.
  const wallet = newWallet()
  const mine = caller(service, await bearer(service, wallet))
  expect((await mine.get(`/v1/get_inbox/${wallet}`)).statusCode).toBe(200)
})

test('X-Forwarded-For counts only from a trusted proxy, and only its own word', async ({ expect }) => {
  await using open = await startService({ ...on, readLimit: few })
  let n = 0
  const spoofed = () =>
    caller(open, undefined, { 'x-forwarded-for': `203.0.113.${n++}` }).get('/users/abc/nonce')
  expect((await statuses(7, spoofed))['200']).toHaveLength(5)

  await using proxied = await startService({ ...on, readLimit: few, trustedProxies: ['198.51.100.0/24'] })
  const via = (forwarded: string) => () =>
    caller(proxied, undefined, { 'x-forwarded-for': forwarded }).get('/users/abc/nonce')
  expect((await statuses(7, via('203.0.113.1')))['200']).toHaveLength(5)
  // Addresses that the client itself wrote are further left; a port is not part of an address.
  const lying = () => via(`203.0.113.${n++}, 203.0.113.2:${40_000 + n}`)()
  expect((await statuses(7, lying))['200']).toHaveLength(5)
  // One /64 is one subscriber; an IPv4 address may be written as IPv6.
  const sixes = () => via(`2001:db8:0:7::${(n++).toString(16)}`)()
  expect((await statuses(7, sixes))['200']).toHaveLength(5)
  expect((await via('2001:db8:0:8::1')()).statusCode).toBe(200)
  expect((await via('::ffff:203.0.113.1')()).statusCode).toBe(429)
  expect((await via('::ffff:203.0.113.99')()).statusCode).toBe(200)
})

test('the networks of an IPv6 /48 share a larger budget, and another /48 has its own', async ({ expect }) => {
  await using service = await startService({
    ...on,
    readLimit: few,
    ipv6Factor: 3,
    trustedProxies: ['198.51.100.0/24'],
  })
  const from = async (address: string, authorization?: string) =>
    caller(service, authorization, { 'x-forwarded-for': address }).get('/users/abc/nonce')
  let n = 0
  const each = await statuses(30, () => from(`2001:db8:5:${(n++).toString(16)}::1`))
  expect(each['200']).toHaveLength(15)
  const refused = await from('2001:db8:5:ffff::1')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['ratelimit-policy']).toBe('"read-anonymous";q=5;w=5, "read-anonymous-site";q=15;w=5')
  expect(refused.json().detail).toMatch(/^Too many requests: all of your IPv6 \/48 together may make 15/)
  expect((await from('2001:db8:6::1')).statusCode).toBe(200)

  // The same with many wallets, which have their own budget.
  n = 0
  const signedIn = async () => {
    const wallet = newWallet()
    const forwarded = { 'x-forwarded-for': `2001:db8:7:${(n++).toString(16)}::1` }
    return caller(service, await bearer(service, wallet), forwarded).get(`/v1/get_inbox/${wallet}`)
  }
  const answered = (await statuses(170, signedIn))['200']!.length
  expect(answered).toBeGreaterThanOrEqual(150)
  // What fills up again meanwhile.
  expect(answered).toBeLessThan(165)
})

test('what is cheap has a budget of its own by network address, and takes nothing from wallets', async ({
  expect,
}) => {
  // A slow machine takes seconds for what is asked here.
  await using service = await startService({
    ...on,
    staticLimit: { burst: 8, perSecond: 0.02 },
    readLimit: few,
  })
  const wallet = newWallet()
  const { get, post } = caller(service, await bearer(service, wallet))
  const cheap = [
    '/healthz',
    '/readyz',
    '/docs/json',
    '/docs/static/swagger-ui.css',
    '/assets/x.js',
    '/nowhere',
  ]
  const before = await Promise.all(cheap.map((url) => get(url)))
  expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 404, 404])
  expect((await post('/healthz', {})).statusCode).toBe(405)
  expect((await get('/')).statusCode).toBe(200)
  for (const url of [...cheap, '/']) {
    const refused = await get(url)
    expect(refused.statusCode, url).toBe(429)
    expect(Number(refused.headers['retry-after']), url).toBeGreaterThan(0)
  }
  const own = await statuses(5, () => get(`/v1/get_inbox/${wallet}`))
  expect(own['200']).toHaveLength(5)
  const other = await service.app.inject({ url: '/healthz', remoteAddress: '198.51.100.8' })
  expect(other.statusCode).toBe(200)
})

test.concurrent('instances share one budget, and what was too much is waited for', async ({ expect }) => {
  const readLimit = { burst: 60, perSecond: 2 }
  await using one = await startService({ ...on, readLimit })
  await using other = await startService({ ...on, readLimit, beside: one })
  const wallet = newWallet()
  const authorization = await bearer(one, wallet)
  const [here, there] = [caller(one, authorization), caller(other, authorization)]
  const inbox = `/v1/get_inbox/${wallet}`
  expect((await statuses(60, () => here.get(inbox)))['200']).toHaveLength(60)
  await expect
    .poll(async () => (await there.get(inbox)).statusCode, { timeout: 5000, interval: 200 })
    .toBe(429)

  // Both at once for some seconds: about one budget, and what two instances gave beyond it.
  const busy = newWallet()
  const token = await bearer(one, busy)
  const until = Date.now() + 6000
  let answered = 0
  const flood = async (service: Service) => {
    const { get } = caller(service, token)
    while (Date.now() < until) {
      if ((await get(`/v1/get_inbox/${busy}`)).statusCode === 200) answered++
      await sleep(10)
    }
  }
  await Promise.all([flood(one), flood(other)])
  expect(answered).toBeGreaterThanOrEqual(60)
  // 60 at once, 12 in six seconds, and at most another 60 before the first exchange.
  expect(answered).toBeLessThanOrEqual(60 + 12 + 60)
  expect((await caller(other, token).get(`/v1/get_inbox/${busy}`)).statusCode).toBe(429)
})

test.concurrent('a wallet in ordinary use causes no write', async ({ expect }) => {
  await using service = await startService({ ...on, refreshEvery: 50 })
  const wallet = newWallet()
  const { get } = caller(service, await bearer(service, wallet))
  await statuses(10, () => get(`/v1/get_inbox/${wallet}`))
  await sleep(500)
  expect(await service.ctx.db.query('select * from rate_limits')).toEqual([])
})

test.concurrent('without its table the limits go on for each instance alone', async ({ expect }) => {
  await using service = await startService({ ...on, readLimit: few, refreshEvery: 50 })
  await service.ctx.db.query('drop table rate_limits')
  const wallet = newWallet()
  const { get } = caller(service, await bearer(service, wallet))
  expect(await statuses(7, () => get(`/v1/get_inbox/${wallet}`))).toMatchObject({
    200: { length: 5 },
    429: { length: 2 },
  })
  // One a second is given back.
  await expect.poll(async () => (await get(`/v1/get_inbox/${wallet}`)).statusCode).toBe(200)
})

test.concurrent('RATE_LIMITS=off counts nothing', async ({ expect }) => {
  await using service = await startService({ rateLimits: false, readLimit: { burst: 1, perSecond: 1 } })
  const { get } = caller(service)
  expect((await statuses(20, () => get('/users/abc/nonce')))['200']).toHaveLength(20)
  expect((await get('/users/abc/nonce')).headers.ratelimit).toBeUndefined()
})

test.concurrent('a wallet is sent so many bytes; then it is told why and when, and others are not affected', async ({
  expect,
}) => {
  await using service = await startService({ ...on, bytesLimit: { burst: 100, perSecond: 50 } })
  const [wallet, other] = [newWallet(), newWallet()]
  const url = await service.listen()
  const fetchAs = async (who: string, path: string) =>
    fetch(url + path, {
      // What is compressed counts by what is sent.
      headers: { authorization: await bearer(service, who), 'accept-encoding': 'identity' },
    })
  const client = await service.as(wallet)
  for (let i = 0; i < 5; i++)
    await client.sendDirectMessage({
      body: { fromaddr: wallet, toaddr: wallet, message: 'x'.repeat(60_000) },
    })
  const whole = await fetchAs(wallet, `/v1/getall_chatitems/${wallet}`)
  expect(whole.status).toBe(200)
  expect(await whole.json()).toHaveLength(5)
  const refused = await fetchAs(wallet, `/v1/get_unread_cnt/${wallet}`)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await refused.json()).toMatchObject({
    type: '/docs/errors#rate_limited',
    detail: expect.stringMatching(
      /^Download limit of your wallet reached: 100 KiB at once and 50 KiB a second\. Ask for less with limit and after, or try again in \d+ s\.$/,
    ),
  })
  expect((await fetchAs(other, `/v1/get_unread_cnt/${other}`)).status).toBe(200)
  const again = async () => (await fetchAs(wallet, `/v1/get_unread_cnt/${wallet}`)).status
  await expect.poll(again, { timeout: 10_000, interval: 200 }).toBe(200)
})

/** Asks many times at once for a wallet, while its rows are locked. */
async function askAtOnce(service: Service, many: number) {
  const wallet = newWallet()
  const { get, post } = caller(service, await bearer(service, wallet))
  await post('/v1/create_chatitem', { fromaddr: wallet, toaddr: 'bob', message: 'hi' })
  const order: number[] = []
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = service.ctx.db.transaction(async (tx) => {
    await tx.query('lock table direct_messages in access exclusive mode')
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const answers = Array.from({ length: many }, async (_, i) => {
    const { statusCode } = await get(`/v1/getall_chatitems/${wallet}?limit=1`)
    order.push(i)
    return statusCode
  })
  await sleep(300)
  const unread = get(`/v1/name/bob`)
  const waits = await Promise.race([unread.then(() => false), sleep(300).then(() => true)])
  const { get: getOther } = caller(service, await bearer(service, newWallet()))
  const other = await getOther('/v1/name/bob')
  held.resolve()
  await holding
  return { statuses: await Promise.all(answers), order, waits, other: other.statusCode, last: await unread }
}

test('more requests in progress than a wallet may have wait in order; none fails, and others go on', async ({
  expect,
}) => {
  await using service = await startService({ ...on, requestsAtOnce: 4 })
  const { statuses: all, order, waits, other, last } = await askAtOnce(service, 20)
  expect(waits).toBe(true)
  expect(other).toBe(200)
  expect(all).toEqual(all.map(() => 200))
  expect(last.statusCode).toBe(200)
  // Those that were in progress first are answered first.
  expect(order.slice(0, 4).toSorted((one, two) => one - two)).toEqual([0, 1, 2, 3])
})

// On a cluster the requests wait for connections.
onOneMachine('RATE_LIMITS=off counts neither bytes nor requests in progress', async ({ expect }) => {
  await using service = await startService({
    rateLimits: false,
    requestsAtOnce: 1,
    bytesLimit: { burst: 1, perSecond: 1 },
  })
  const { statuses: all, waits } = await askAtOnce(service, 20)
  expect(waits).toBe(false)
  expect(all).toEqual(all.map(() => 200))
  const wallet = newWallet()
  const { get, post } = caller(service, await bearer(service, wallet))
  await post('/v1/create_chatitem', { fromaddr: wallet, toaddr: wallet, message: 'x'.repeat(60_000) })
  expect((await statuses(10, () => get(`/v1/getall_chatitems/${wallet}`)))['200']).toHaveLength(10)
})
