import type { ApiError } from '@parley/sdk'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test, vi } from 'vitest'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import { newHookOf } from '../../../../testing/people/secrets.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import {
  clientOf,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { newHookSecret } from '../../auth/incoming-hooks.ts'
import { hashOfSecret } from '../../auth/secret-store.ts'
import { issueToken } from '../../auth/tokens.ts'

const metricsToken = 'a-token-of-the-metrics-that-is-long-enough'
const service = useService({ metricsToken })
const other = useService({ beside: service })

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'posted',
    (error: ApiError) => error.code,
  )

/** Makes a wallet with a community of its own. */
async function newOwner(on: Service, nftaddr = `town-${newWallet().slice(2, 10)}`) {
  const address = newWallet()
  const client = await on.as(address)
  await client.createCommunity({ body: { community: nftaddr } })
  const make = async (label = 'builds') => {
    const [hook] = await client.createIncomingHook({ body: { label, nftaddr } })
    return { ...hook!, secret: new URL(hook!.url!).pathname.split('/').at(-1)! }
  }
  const posts = async () =>
    (await client.listGroupMessages({ address: nftaddr, useraddress: address })).map(({ message }) => message)
  return { address, client, nftaddr, make, posts }
}

const postBy = (on: Service, secret: string, text = 'the build is green', idempotencyKey?: string) =>
  on.anonymous.postByHook({ secret, body: { text } }, { ...(idempotencyKey && { idempotencyKey }) })

test('a hook is shown once, posts as its wallet in its chat, and is listed without its address', async () => {
  const alice = await newOwner(service)
  const { secret, ...made } = await alice.make()
  expect(made).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    label: 'builds',
    nftaddr: alice.nftaddr,
    created_at: expect.stringMatching(/^20.*Z$/),
    url: `${service.ctx.config.publicUrl}/v1/hooks/${secret}`,
  })
  expect(secret).toMatch(/^prh_[\w-]{44}$/)
  const { url: _, ...rest } = made
  expect(await alice.client.listIncomingHooks()).toEqual([rest])
  const [posted] = await postBy(service, secret)
  const [stored] = await alice.client.listGroupMessages({
    address: alice.nftaddr,
    useraddress: alice.address,
  })
  expect(posted).toEqual({ id: stored!.id })
  expect(stored).toMatchObject({ fromaddr: alice.address, message: 'the build is green' })
  const last_used = new Date().toISOString().slice(0, 10)
  expect(await alice.client.listIncomingHooks()).toEqual([{ ...rest, last_used }])
  // The table has a hash, and no table has the secret.
  const [row] = await service.ctx.db.query<{ hash: Buffer; row: string }>(
    'select hash, h::text as row from incoming_hooks h where walletaddr = $1',
    [alice.address],
  )
  expect(row!.hash).toEqual(hashOfSecret(secret))
  expect(row!.row).not.toContain(secret)
})

test('the body is JSON, JSON as text, or a form with JSON; anything else is refused and not stored', async () => {
  const alice = await newOwner(service)
  const { secret } = await alice.make()
  const send = async (type: string, payload: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url: `/v1/hooks/${secret}`,
        headers: { 'content-type': type },
        payload,
      })
    ).statusCode
  const form = 'application/x-www-form-urlencoded'
  const formOf = (value: string) => new URLSearchParams({ payload: value }).toString()
  expect(await send('application/json', '{"text":"one"}')).toBe(200)
  expect(await send('text/plain;charset=UTF-8', '{"text":"two"}')).toBe(200)
  expect(await send(form, formOf('{"text":"three & more +%"}'))).toBe(200)
  expect(await send(`${form}; charset=utf-8`, formOf('{"text":"four"}'))).toBe(200)
  for (const [type, payload] of [
    ['application/json', ''],
    ['application/json', '{}'],
    ['application/json', '{"text":""}'],
    ['application/json', '{"text":5}'],
    ['application/json', '[]'],
    ['application/json', '"text"'],
    ['application/json', '{"text":"a\\u0000b"}'],
    ['text/plain', 'hello'],
    [form, 'text=hello'],
    [form, ''],
    [form, formOf('hello')],
    [form, formOf('{"text":""}')],
  ] as const)
    expect([payload, await send(type, payload)]).toEqual([payload, 400])
  expect(await send('multipart/form-data; boundary=x', 'x')).toBe(415)
  expect(await send('application/json', JSON.stringify({ text: 'x'.repeat(65_537) }))).toBe(400)
  expect(await send('application/json', JSON.stringify({ text: 'x'.repeat(300_000) }))).toBe(413)
  expect(await alice.posts()).toEqual(['one', 'two', 'three & more +%', 'four'])
  // A form is taken here and nowhere else.
  const elsewhere = await service.app.inject({
    method: 'POST',
    url: '/v1/create_groupchatitem',
    headers: {
      'content-type': form,
      authorization: `Bearer ${await issueToken(service.ctx, alice.address)}`,
    },
    payload: formOf(JSON.stringify({ fromaddr: alice.address, nftaddr: alice.nftaddr, message: 'no' })),
  })
  expect(elsewhere.statusCode).toBe(415)
})

test('an Idempotency-Key posts once, each hook by itself, also of two requests at once', async () => {
  const alice = await newOwner(service)
  const [one, another] = [await alice.make(), await alice.make()]
  const ids = await Promise.all(Array.from({ length: 5 }, () => postBy(service, one.secret, 'once', 'key')))
  expect(new Set(ids.map(([item]) => item!.id)).size).toBe(1)
  await expect(postBy(service, one.secret, 'another text', 'key')).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  })
  expect(await codeOf(postBy(service, another.secret, 'once', 'key'))).toBe('posted')
  expect(await alice.posts()).toEqual(['once', 'once'])
})

test('only a recent sign-in that may post in the chat makes a hook, and no key does; a wallet has 20', async () => {
  const alice = await newOwner(service)
  const body = { label: 'x', nftaddr: alice.nftaddr }
  const old = await issueToken(service.ctx, alice.address, { signedIn: Date.now() - 3_700_000 })
  await expect(clientOf(service.app, { token: old }).createIncomingHook({ body })).rejects.toMatchObject({
    code: 'old_sign_in',
  })
  const key = clientOf(service.app, { token: await newApiKeyOf(service, alice.address, ['chat:post']) })
  for (const call of [
    key.createIncomingHook({ body }),
    key.listIncomingHooks(),
    key.deleteIncomingHook({ hook: 'x' }),
  ])
    await expect(call).rejects.toMatchObject({ code: 'forbidden' })
  await expect(
    alice.client.createIncomingHook({ body: { label: 'x', nftaddr: 'no such chat' } }),
  ).rejects.toMatchObject({ code: 'bad_request' })
  await expect(
    alice.client.createIncomingHook({ body: { label: 'x', nftaddr: 'nowhere' } }),
  ).rejects.toMatchObject({ code: 'not_found' })
  const eve = await service.as(newWallet())
  const { id } = await alice.make()
  await expect(eve.deleteIncomingHook({ hook: id })).rejects.toMatchObject({ code: 'not_found' })
  const made = await Promise.allSettled(Array.from({ length: 25 }, () => alice.make()))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)
  await expect(alice.make()).rejects.toMatchObject({ message: expect.stringContaining('Delete one') })
  await alice.client.deleteIncomingHook({ hook: id })
  await expect(alice.client.deleteIncomingHook({ hook: id })).rejects.toMatchObject({ code: 'not_found' })
  await alice.make()
})

test('a secret that is made up, malformed or deleted is 404, and the answer does not repeat it', async () => {
  const alice = await newOwner(service)
  const { secret, id } = await alice.make()
  const wrong = [
    'prh_',
    `${secret}x`,
    secret.slice(0, -1),
    secret.slice(4),
    secret.toUpperCase(),
    newHookSecret(alice.address),
    await newApiKeyOf(service, alice.address, ['chat:post']),
    id,
  ]
  const answerTo = (one: string) =>
    service.app.inject({ method: 'POST', url: `/v1/hooks/${one}`, payload: { text: 'no' } })
  for (const one of wrong) {
    const answer = await answerTo(one)
    expect(answer.statusCode, one).toBe(404)
    expect(answer.headers['cache-control']).toMatch(/no-store/)
    expect(answer.body, one).not.toContain(one.slice(4, 30) || 'prh_')
  }
  expect((await answerTo(secret)).statusCode).toBe(200)
  await alice.client.deleteIncomingHook({ hook: id })
  expect((await answerTo(secret)).statusCode).toBe(404)
  expect(await alice.posts()).toEqual(['no'])
})

test('on another instance a deleted hook is refused within two seconds', async () => {
  const alice = await newOwner(service)
  const { secret, id } = await alice.make()
  expect(await codeOf(postBy(other, secret))).toBe('posted')
  await alice.client.deleteIncomingHook({ hook: id })
  expect(await codeOf(postBy(service, secret))).toBe('not_found')
  await expect.poll(() => codeOf(postBy(other, secret)), { timeout: 2_000 }).toBe('not_found')
})

test('what forbids the wallet to post forbids it to its hooks, from that moment', async () => {
  const [alice, bob, operator] = [await newOwner(service), newWallet(), newWallet()]
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  const secret = await newHookOf(service, bob, alice.nftaddr)
  const post = (text?: string) => codeOf(postBy(service, secret, text))
  expect(await post()).toBe('posted')
  const restrict = (body: object) =>
    alice.client.restrictMember({ nftaddr: alice.nftaddr, walletaddr: bob, body })
  await restrict({ muted_until: 'forever' })
  expect(await post()).toBe('forbidden')
  await restrict({ muted_until: null, banned_until: 'forever' })
  expect(await post()).toBe('forbidden')
  await expect(
    (await service.as(bob)).createIncomingHook({ body: { label: 'x', nftaddr: alice.nftaddr } }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await restrict({ banned_until: null })
  await alice.client.setChatRules({ nftaddr: alice.nftaddr, body: { words: ['casino'] } })
  expect(await postBy(service, secret, 'a casino')).toEqual([{ id: expect.any(Number), held: true }])
  const act = (action: 'mute' | 'ban' | 'lift', subject: string) =>
    asOperator.act({ body: { action, subject, reason: 'a test' } })
  await act('mute', bob)
  expect(await post()).toBe('sanctioned')
  await act('ban', bob)
  expect(await post()).toBe('sanctioned')
  const asBob = await service.as(bob)
  await expect(
    asBob.createIncomingHook({ body: { label: 'x', nftaddr: alice.nftaddr } }),
  ).rejects.toMatchObject({ code: 'sanctioned' })
  const [listed] = await asBob.listIncomingHooks()
  await asBob.deleteIncomingHook({ hook: listed!.id })
  expect(await post()).toBe('not_found')
  expect(await alice.posts()).toEqual(['the build is green'])
})

test.each(['signOutEverywhere', 'eraseAccount'] as const)(
  '%s deletes all hooks, here at once',
  async (end) => {
    const [alice, bob] = [await newOwner(service), await newOwner(service)]
    const secrets = [(await alice.make()).secret, (await alice.make()).secret]
    const bystander = await bob.make()
    for (const secret of secrets) expect(await codeOf(postBy(service, secret))).toBe('posted')
    await alice.client[end]({ address: alice.address } as never)
    for (const secret of secrets) expect(await codeOf(postBy(service, secret))).toBe('not_found')
    expect(await (await service.as(alice.address)).listIncomingHooks()).toEqual([])
    expect(await codeOf(postBy(service, bystander.secret))).toBe('posted')
  },
)

test('a hook that is made while the wallet signs out everywhere is not left over', async () => {
  const alice = await newOwner(service)
  for (let n = 0; n < 10; n++) {
    const client = await service.as(alice.address)
    await Promise.allSettled([
      client.createIncomingHook({ body: { label: 'x', nftaddr: alice.nftaddr } }),
      client.signOutEverywhere(),
    ])
    expect(await (await service.as(alice.address)).listIncomingHooks()).toEqual([])
  }
})

const limited = useService({
  rateLimits: true,
  writeLimit: { burst: 8, perSecond: 0.001 },
  accountLimit: { burst: 100, perSecond: 100 },
})

test('a hook posts five times at once and once a second; others of the wallet go on, and its limits count', async () => {
  const owner = newWallet()
  const [one, another] = [
    await newHookOf(limited, owner, newWallet()),
    await newHookOf(limited, owner, newWallet()),
  ]
  const started = performance.now()
  const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(postBy(limited, one))))
  const seconds = Math.ceil((performance.now() - started) / 1000)
  const posted = codes.filter((code) => code === 'posted').length
  expect(posted).toBeGreaterThanOrEqual(5)
  expect(posted).toBeLessThanOrEqual(Math.min(8, 5 + seconds))
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(12 - posted)
  // The eighth write of the wallet is the last one.
  for (let n = posted; n < 8; n++) expect(await codeOf(postBy(limited, another))).toBe('posted')
  await expect(postBy(limited, another)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.not.stringContaining('A hook posts'),
  })
})

test('wrong secrets are few for a network address, and cost the database no more than that', async () => {
  await using guarded = await startService({ rateLimits: true })
  const owner = newWallet()
  const right = await newHookOf(guarded, owner, newWallet())
  const query = vi.spyOn(guarded.ctx.db, 'query')
  for (let n = 0; n < 40; n++) expect(await codeOf(postBy(guarded, right.slice(0, -1)))).toBe('not_found')
  const codes = await Promise.all(
    Array.from({ length: 60 }, () => codeOf(postBy(guarded, newHookSecret(owner)))),
  )
  const asked = query.mock.calls.filter(([sql]) => sql.includes('incoming_hooks')).length
  query.mockRestore()
  expect(codes.filter((code) => code === 'not_found').length).toBeGreaterThanOrEqual(30)
  expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThanOrEqual(20)
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThanOrEqual(40)
})

test('it needs no token, and minds none; a page elsewhere gets no more than any program', async () => {
  const alice = await newOwner(service)
  const { secret } = await alice.make()
  const { statusCode, headers } = await service.app.inject({
    method: 'POST',
    url: `/v1/hooks/${secret}`,
    headers: { origin: 'https://evil.example', authorization: 'Bearer nonsense', cookie: 'x=y' },
    payload: { text: 'from a page' },
  })
  expect(statusCode).toBe(200)
  expect(headers['set-cookie']).toBeUndefined()
  expect(contract.postByHook.access).toBe('public')
})

test('a path with a secret is in no metric', async () => {
  const secret = await newHookOf(service, newWallet(), newWallet())
  await postBy(service, secret)
  await service.app.inject({ method: 'GET', url: `/v1/hooks/${secret}` })
  const { body } = await service.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${metricsToken}`, accept: 'application/openmetrics-text' },
  })
  expect(body).toContain('/v1/hooks/:secret')
  expect(body).not.toContain('prh_')
})
