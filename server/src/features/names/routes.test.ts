import { expect, test } from 'vitest'
import { newWallet, type Service, startService } from '../../../../testing/service/service.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'

const start = async (options: Parameters<typeof startService>[0] = {}) => {
  const service = await startService({ adminApiKey, ...options })
  const wallet = async (on: Service = service) => {
    const address = newWallet()
    const client = await on.as(address)
    return {
      address,
      client,
      setName: (name: string, more = {}) => client.setName({ body: { address, name, ...more } }),
      lookUp: (name: string) => client.getName({ name }),
    }
  }
  return { service, wallet, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const asAdmin = ({ app }: Service, body: object, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/v1/name',
    headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'text/plain', ...headers },
    payload: JSON.stringify(body),
  })

test('a wallet sets a name, and anyone finds one by the other', async () => {
  await using t = await start()
  const [alice, bob] = [await t.wallet(), await t.wallet()]
  const expected = [{ id: expect.any(Number), address: alice.address, name: 'Alice Øster' }]
  expect(await alice.setName('Alice Øster', { domain: 'a.example', signupsite: 'b.example' })).toBe(1)
  for (const key of [
    alice.address,
    alice.address.toUpperCase().replace('X', 'x'),
    'Alice Øster',
    'ALICE ØSTER',
    'alice øster',
  ])
    expect(await bob.lookUp(key)).toEqual(expected)
  expect(await bob.lookUp('nobody')).toEqual([])
  expect(await bob.lookUp(bob.address)).toEqual([])
})

test('the answer is how many rows changed', async () => {
  await using t = await start()
  const alice = await t.wallet()
  expect(await alice.setName('alice')).toBe(1)
  expect(await alice.setName('alice')).toBe(0)
  expect(await alice.setName('Alice')).toBe(1)
  expect(await alice.setName('Alice', { domain: 'a.example' })).toBe(1)
  expect(await alice.setName('Alice', { domain: 'a.example' })).toBe(0)
  expect(await alice.setName('Alice')).toBe(0)
})

test('a wallet gives up its name: nobody finds it by it, and another may take it', async () => {
  await using t = await start()
  const [alice, bob] = [await t.wallet(), await t.wallet()]
  await alice.setName('Alice')
  await alice.client.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: bob.address, message: 'gm' },
  })
  await bob.client.deleteName()
  await expect(bob.setName('alice')).rejects.toMatchObject({ code: 'conflict' })
  await alice.client.deleteName()
  expect(await bob.lookUp('Alice')).toEqual([])
  expect(await bob.lookUp(alice.address)).toEqual([])
  const [row] = await bob.client.getInbox({ address: bob.address })
  expect([row!.name, row!.sender_name]).toEqual(['', ''])
  await alice.client.deleteName()
  expect(await bob.setName('alice')).toBe(1)
})

test('a wallet names only itself', async () => {
  await using t = await start()
  const [alice, bob] = [await t.wallet(), await t.wallet()]
  await expect(alice.client.setName({ body: { address: bob.address, name: 'bobby' } })).rejects.toMatchObject(
    {
      code: 'forbidden',
    },
  )
  expect(await alice.client.setName({ body: { name: 'alice' } })).toBe(1)
  expect((await alice.lookUp('alice'))[0]?.address).toBe(alice.address)
  await t.service.app.inject({
    method: 'POST',
    url: '/v1/name',
    headers: { 'content-type': 'application/json' },
    payload: { address: alice.address, name: 'eve' },
  })
  expect(await bob.lookUp(alice.address)).toMatchObject([{ name: 'alice' }])
})

test('an id in the body is ignored', async () => {
  await using t = await start()
  const alice = await t.wallet()
  expect(await alice.setName('alice', { id: 4711 })).toBe(1)
  expect((await alice.lookUp('alice'))[0]?.id).not.toBe(4711)
})

test('a name that looks like that of another is refused, in any case', async () => {
  await using t = await start()
  const [alice, eve] = [await t.wallet(), await t.wallet()]
  await alice.setName('Alice')
  for (const name of ['Alice', 'alice', 'ALICE', 'аlice', 'aIice', 'A1ICE', 'ａｌｉｃｅ'])
    await expect(eve.setName(name), name).rejects.toMatchObject({ code: 'conflict' })
  expect(await eve.lookUp(eve.address)).toEqual([])
  // A wallet may choose from its own look-alikes.
  expect(await alice.setName('ALICE')).toBe(1)
  expect(await alice.setName('аlice')).toBe(1)
})

test('a changed name frees the old one, a refused change keeps it', async () => {
  await using t = await start()
  const [alice, bob] = [await t.wallet(), await t.wallet()]
  await alice.setName('first')
  await bob.setName('bobby')
  await expect(alice.setName('Bobby')).rejects.toMatchObject({ code: 'conflict' })
  await expect(bob.setName('fιrst')).rejects.toMatchObject({ code: 'conflict' })
  expect(await bob.lookUp('first')).toMatchObject([{ address: alice.address }])
  await alice.setName('second')
  expect(await bob.setName('FIRST')).toBe(1)
  expect(await alice.lookUp('first')).toMatchObject([{ address: bob.address, name: 'FIRST' }])
})

test('an unacceptable name is 400 and says what is allowed', async () => {
  await using t = await start()
  const alice = await t.wallet()
  for (const name of [
    '',
    'a'.repeat(65),
    'everyone',
    'Ρarley',
    'a\u200bb',
    '\u202ea',
    newWallet(),
    'a\0',
    '\ud800',
    ' ',
  ])
    await expect(alice.setName(name)).rejects.toMatchObject({
      code: 'bad_request',
      errors: [{ pointer: '/body/name', detail: expect.stringMatching(/./) }],
    })
  await expect(alice.setName(7 as unknown as string)).rejects.toMatchObject({ code: 'bad_request' })
  expect(await alice.lookUp(alice.address)).toEqual([])
})

test('the admin key names any address, from a server, as JSON or as text', async () => {
  await using t = await start()
  const [alice, bob] = [await t.wallet(), await t.wallet()]
  const answer = await asAdmin(t.service, {
    name: 'Punks',
    address: '0xB47E3CD837dDF8e4c57F05d70Ab865de6e193BBB',
  })
  expect([answer.statusCode, answer.json()]).toEqual([200, 1])
  expect(await alice.lookUp('punks')).toMatchObject([
    { address: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb' },
  ])
  expect(
    (
      await asAdmin(
        t.service,
        { name: 'alice', address: alice.address },
        { 'content-type': 'application/json' },
      )
    ).json(),
  ).toBe(1)

  const refused: [object, number][] = [
    [{ name: 'alice', address: bob.address }, 409],
    [{ name: 'root', address: bob.address }, 400],
    [{ name: 'bob.eth', address: bob.address }, 403],
    [{ name: 'bobby' }, 400],
    [{ address: bob.address }, 400],
  ]
  for (const [body, status] of refused) expect((await asAdmin(t.service, body)).statusCode).toBe(status)
  const browser = await asAdmin(
    t.service,
    { name: 'bobby', address: bob.address },
    { origin: 'https://a.example' },
  )
  expect(browser.statusCode).toBe(403)
  expect(await alice.lookUp(bob.address)).toEqual([])
})

test('of many that want one name at once, on two instances, one gets it', async () => {
  await using t = await start()
  await using other = await startService({ beside: t.service })
  const looks = ['satoshi', 'Satoshi', 'SATOSHI', 'sаtoshi', 'SAT0SHI', 'satoshı']
  const wallets = await Promise.all(Array.from({ length: 24 }, (_, i) => t.wallet(i % 2 ? other : t.service)))
  const results = await Promise.allSettled(wallets.map(({ setName }, i) => setName(looks[i % looks.length]!)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
})

test('wallets that exchange names at once get a name or a conflict, never an error', async () => {
  await using t = await start()
  await using other = await startService({ beside: t.service })
  const wallets = await Promise.all(Array.from({ length: 6 }, (_, i) => t.wallet(i % 2 ? other : t.service)))
  const name = (i: number) => `wallet ${'abcdef'[i % 6]}`
  await Promise.all(wallets.map(({ setName }, i) => setName(name(i))))
  for (let round = 1; round <= 15; round++) {
    const results = await Promise.allSettled(
      wallets.flatMap(({ setName }, i) => [setName(name(i + round)), setName(name(i + 2 * round))]),
    )
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
  }
  // The stored names are consistent: each name is that of one wallet, and its skeletons are its wallet's.
  const found = await t.service.ctx.db.query<{ skeletons: number; names: number }>(
    `select (select count(*) from name_skeletons s join names n using (address)) as skeletons, (select count(distinct folded) from names) as names`,
  )
  expect(found).toEqual([{ skeletons: expect.any(Number), names: 6 }])
  const unlike = await t.service.ctx.db.query(
    `select * from names n full join profiles p using (address) where p.name::json #>> '{}' is distinct from n.name`,
  )
  expect(unlike).toEqual([])
})

test('a repeated request with an Idempotency-Key gets the first answer', async () => {
  await using t = await start()
  const alice = await t.wallet()
  const set = () =>
    alice.client.setName({ body: { address: alice.address, name: 'alice' } }, { idempotencyKey: 'k' })
  expect([await set(), await set()]).toEqual([1, 1])
})

test('a name of this service leads to its wallet, in any case; a name that nobody has is not found', async () => {
  await using service = await startService()
  const [alice, bob] = [newWallet(), newWallet()]
  const asBob = await service.as(bob)
  await (await service.as(alice)).setName({ body: { address: alice, name: 'Alicia' } })
  expect(await asBob.resolveName({ name: 'aLICIA' })).toEqual({
    address: alice,
    name: 'Alicia',
    source: 'service',
  })
  for (const name of ['nobody', 'alicia.eth', alice])
    await expect(asBob.resolveName({ name }), name).rejects.toMatchObject({ code: 'not_found' })
})
