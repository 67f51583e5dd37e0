import { createHash } from 'node:crypto'
import type { ApiError, NewApiKey } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../../../testing/people/secrets.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { clientOf, newWallet, type Service, useService } from '../../../../testing/service/service.ts'
import { issueToken } from '../../auth/tokens.ts'

const service = useService()
const other = useService({ beside: service })

const allowed = { label: 'alerts', scopes: ['inbox:read'] }

async function newcomer(on: Service, address = newWallet()) {
  const client = await on.as(address)
  return {
    address,
    client,
    make: async (body: Partial<NewApiKey> = {}) =>
      (await client.createApiKey({ body: { ...allowed, ...body } }))[0]!,
    /** Makes programs with keys of the wallet. */
    program: async (...scopes: string[]) => withKey(on, await newApiKeyOf(on, address, scopes)),
    send: (toaddr: string) =>
      client.sendDirectMessage({ body: { fromaddr: address, toaddr, message: 'gm' } }),
  }
}

const withKey = ({ app }: Service, token: string) => clientOf(app, { token })

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: ApiError) => error.code,
  )

test('a key is shown once, works in place of a token, is listed without itself, and says what it may do', async () => {
  const alice = await newcomer(service)
  const made = await alice.make({ scopes: ['inbox:read', 'inbox:read', 'dm:send'] })
  expect(made).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    label: 'alerts',
    scopes: ['inbox:read', 'dm:send'],
    created_at: expect.stringMatching(/^20.*Z$/),
    key: expect.stringMatching(/^prl_[\w-]{43}$/),
  })
  const { key, ...rest } = made
  const [listed] = await alice.client.listApiKeys()
  expect(listed).toEqual(rest)
  const program = withKey(service, key!)
  expect(await program.getInbox({ address: alice.address })).toEqual([])
  const used = { ...rest, last_used: new Date().toISOString().slice(0, 10) }
  expect(await program.getApiKey()).toEqual([{ ...used, walletaddr: alice.address }])
  expect(await alice.client.listApiKeys()).toEqual([used])
  expect(await alice.client.getApiKey()).toEqual([])
  // The table has a hash, and no table has the key.
  const [row] = await service.ctx.db.query<{ hash: Buffer; row: string }>(
    'select hash, k::text as row from api_keys k where walletaddr = $1',
    [alice.address],
  )
  expect(row!.hash).toEqual(createHash('sha256').update(key!).digest())
  expect(row!.row).not.toContain(key)
  await expect(program.getInbox({ address: newWallet() })).rejects.toMatchObject({ code: 'forbidden' })
})

test.each([
  { label: '' },
  { label: 'x'.repeat(101) },
  { scopes: [] },
  { scopes: Array<string>(21).fill('inbox:read') },
  { scopes: ['inbox'] },
  { scopes: ['constructor'] },
  { scopes: ['dm:send:'] },
  { scopes: ['dm:send:two words'] },
  { scopes: ['chat::post'] },
  { scopes: ['chat:post:post:'] },
  { scopes: ['inbox:read:0xd8da6bf26964af9d7eed9e03e53415d37aa96045'] },
  { scopes: 'inbox:read' as unknown as string[] },
  { expires_at: '2020-01-01T00:00:00.000Z' },
  { expires_at: 'tomorrow' },
])('a key is not made of %o', async (wrong) => {
  const alice = await newcomer(service)
  await expect(alice.make(wrong)).rejects.toMatchObject({ code: 'bad_request' })
  expect(await alice.client.listApiKeys()).toEqual([])
})

test('a wallet has 20 keys at most, also when it asks for many at once on two instances', async () => {
  const alice = await newcomer(service)
  const there = await newcomer(other, alice.address)
  const made = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) => (n % 2 ? alice : there).make({ label: String(n) })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  const [refused] = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('Delete one') })
  const keys = await alice.client.listApiKeys()
  expect(keys).toHaveLength(20)
  await alice.client.deleteApiKey({ api_key: keys[7]!.id })
  expect(await alice.make({ label: 'in its place' })).toMatchObject({ label: 'in its place' })
})

test('only a recent sign-in makes a key, and no key does', async () => {
  const address = newWallet()
  const signedIn = Date.now() - 3_700_000
  const token = await issueToken(service.ctx, address, { signedIn })
  const old = clientOf(service.app, { token })
  await expect(old.createApiKey({ body: allowed })).rejects.toMatchObject({ code: 'old_sign_in' })
  expect(await old.listApiKeys()).toEqual([])
  const program = await (await newcomer(service, address)).program('inbox:read')
  await expect(program.createApiKey({ body: allowed })).rejects.toMatchObject({ code: 'forbidden' })
})

test('a key that is expired, deleted, made up or malformed is 401, and nobody deletes those of others', async () => {
  const [alice, eve] = [await newcomer(service), await newcomer(service)]
  const inbox = (key: string) => codeOf(withKey(service, key).getInbox({ address: alice.address }))
  const soon = await alice.make({ expires_at: new Date(Date.now() + 400).toISOString() })
  expect(await inbox(soon.key!)).toBe('answered')
  await expect.poll(() => inbox(soon.key!)).toBe('unauthorized')
  expect(await alice.client.listApiKeys()).toMatchObject([{ expires_at: soon.expires_at }])

  const { id, key } = await alice.make()
  for (const wrong of [
    'prl_',
    'prl_x',
    `${key}x`,
    key!.slice(0, -1),
    key!.toUpperCase(),
    `prl_${'A'.repeat(43)}`,
    `prl_${'é'.repeat(43)}`,
    key!.slice(4),
  ])
    expect(await inbox(encodeURI(wrong)), wrong).toBe('unauthorized')
  await expect(eve.client.deleteApiKey({ api_key: id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await inbox(key!)).toBe('answered')
  await alice.client.deleteApiKey({ api_key: id })
  expect(await inbox(key!)).toBe('unauthorized')
  await expect(alice.client.deleteApiKey({ api_key: id })).rejects.toMatchObject({ code: 'not_found' })
})

test('on another instance a deleted key is refused within two seconds, and its stream ends', async () => {
  const alice = await newcomer(service)
  const { id, key } = await alice.make()
  const inbox = () => codeOf(withKey(other, key!).getInbox({ address: alice.address }))
  await using here = await listenTo(service, alice.address, { token: key! })
  await using there = await listenTo(other, alice.address, { token: key! })
  await alice.send(alice.address)
  await Promise.all([here.receives(1), there.receives(1)])
  expect(await inbox()).toBe('answered')
  await alice.client.deleteApiKey({ api_key: id })
  await expect.poll(inbox, { timeout: 2_000 }).toBe('unauthorized')
  await here.ends()
  await there.ends()
})

test('the stream needs inbox:read, and ends when the key expires', async () => {
  const alice = await newcomer(service)
  const others = await newApiKeyOf(service, alice.address, ['inbox:write', 'dm:begin', 'chat:read'])
  await using refused = await listenTo(service, alice.address, { token: others })
  expect(refused.response.status).toBe(403)
  expect(refused.detail).toContain('inbox:read')
  const { key } = await alice.make({ expires_at: new Date(Date.now() + 700).toISOString() })
  await using stream = await listenTo(service, alice.address, { token: key! })
  expect(stream.response.status).toBe(200)
  await stream.ends()
})

test('signing out everywhere and erasing the wallet delete all of its keys, here at once', async () => {
  for (const end of ['signOutEverywhere', 'eraseAccount'] as const) {
    const [alice, bob] = [await newcomer(service), await newcomer(service)]
    const programs = [await alice.program('inbox:read'), await alice.program('inbox:read')]
    const bystander = await bob.program('inbox:read')
    const read = () => Promise.all(programs.map((one) => codeOf(one.getInbox({ address: alice.address }))))
    expect(await read()).toEqual(['answered', 'answered'])
    await alice.client[end]({ address: alice.address } as never)
    expect(await read()).toEqual(['unauthorized', 'unauthorized'])
    const again = await service.as(alice.address)
    expect(await again.listApiKeys()).toEqual([])
    expect(await bystander.getInbox({ address: bob.address })).toEqual([])
  }
})

test('a key that is made while the wallet signs out everywhere is not left over', async () => {
  const { address } = await newcomer(service)
  for (let n = 0; n < 10; n++) {
    const client = await service.as(address)
    const [made] = await Promise.allSettled([
      client.createApiKey({ body: allowed }),
      client.signOutEverywhere(),
    ])
    const [{ key } = {}] = made.status === 'fulfilled' ? made.value : []
    if (key) expect(await codeOf(withKey(service, key).getInbox({ address }))).toBe('unauthorized')
    expect(await (await service.as(address)).listApiKeys()).toEqual([])
  }
})

test('signing out of one browser deletes no key', async () => {
  const alice = await newcomer(service)
  const program = await alice.program('inbox:read')
  await alice.client.signOut()
  expect(await program.getInbox({ address: alice.address })).toEqual([])
})

test('a banned wallet is refused with its keys, and may list and delete them; an operator’s key is none of an operator', async () => {
  const [alice, operator] = [await newcomer(service), await newcomer(service)]
  await addOperator(service, operator.address)
  const program = await alice.program('inbox:read', 'dm:begin')
  const send = () =>
    codeOf(
      program.sendDirectMessage({
        body: { fromaddr: alice.address, toaddr: operator.address, message: 'gm' },
      }),
    )
  const act = (action: 'ban' | 'mute' | 'lift') =>
    operator.client.act({ body: { action, subject: alice.address, reason: 'a test' } })
  await act('mute')
  expect(await send()).toBe('sanctioned')
  expect(await codeOf(program.getInbox({ address: alice.address }))).toBe('answered')
  await act('ban')
  expect(await codeOf(program.getInbox({ address: alice.address }))).toBe('sanctioned')
  const [listed] = await alice.client.listApiKeys()
  await alice.client.deleteApiKey({ api_key: listed!.id })
  const powerful = await operator.program('inbox:read', 'public:read', 'profile:write')
  await expect(powerful.listReports({})).rejects.toMatchObject({
    message: expect.stringContaining('API key'),
  })
})

test('dm:send begins no conversation, whatever the other has decided; dm:begin does', async () => {
  const [alice, bob, carol] = [await newcomer(service), await newcomer(service), await newcomer(service)]
  const program = await alice.program('dm:send')
  const send = (toaddr: string, by = program) =>
    codeOf(by.sendDirectMessage({ body: { fromaddr: alice.address, toaddr, message: 'gm' } }))
  expect(await send(alice.address)).toBe('answered')
  expect(await send(bob.address)).toBe('forbidden')
  // A message that the wallet itself has written is no answer.
  await alice.send(bob.address)
  expect(await send(bob.address)).toBe('forbidden')
  await bob.send(alice.address)
  expect(await send(bob.address)).toBe('answered')
  expect(await send(carol.address)).toBe('forbidden')
  // The sender cannot notice that it is accepted, ignored or blocked.
  for (const state of ['accepted', 'ignored', 'blocked'] as const) {
    for (const one of [bob, carol]) await one.client.setContact({ peer: alice.address, body: { state } })
    expect([await send(bob.address), await send(carol.address)]).toEqual(['answered', 'forbidden'])
  }

  const dora = await newcomer(service)
  const alone = await alice.program(`dm:send:${dora.address}`)
  expect(await send(dora.address, alone)).toBe('forbidden')
  expect(await send(dora.address, await alice.program('dm:begin'))).toBe('answered')
  expect(await dora.client.countUnread({ address: dora.address })).toBe(1)
  await dora.send(alice.address)
  expect(await send(dora.address, alone)).toBe('answered')
  expect(await send(bob.address, alone)).toBe('forbidden')
})

test('a key gets no backup of encryption keys, and confirms no mail address', async () => {
  const alice = await newcomer(service)
  const { address } = alice
  const published = { address, public_key: 'a', signature: 'b', backup: 'c' }
  await alice.client.publishKey({ address, body: published })
  const program = await alice.program('public:read', 'profile:write')
  const [seen] = await program.getKey({ address })
  expect(seen).toMatchObject({ public_key: 'a' })
  expect(seen).not.toHaveProperty('backup')
  await expect(program.publishKey({ address, body: published })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(program.verifyEmail({ email: 'a@example.org', verification_code: 'x' })).rejects.toMatchObject(
    { code: 'forbidden' },
  )
})

const limited = useService({ rateLimits: true, writeLimit: { burst: 3, perSecond: 0.001 } })

test('requests of a key count as those of its wallet', async () => {
  const alice = await newcomer(limited)
  const [one, another] = [await alice.program('dm:send'), await alice.program('dm:send')]
  const body = { fromaddr: alice.address, toaddr: alice.address, message: 'gm' }
  const calls = [alice.client, one, another, one].map((client) => () => client.sendDirectMessage({ body }))
  const codes: string[] = []
  for (const call of calls) codes.push(await codeOf(call()))
  expect(codes).toEqual(['answered', 'answered', 'answered', 'rate_limited'])
})
