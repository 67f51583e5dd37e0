import { expect, test } from 'vitest'
import { newName, newWallet, type Service, useService } from '../../../../testing/service/service.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'

const service = useService({ adminApiKey })
const other = useService({ beside: service })

async function person(on: Service = service) {
  const address = newWallet()
  const client = await on.as(address)
  return {
    address,
    client,
    setName: (name: string, more = {}) => client.setName({ body: { address, name, ...more } }),
    lookUp: (name: string) => client.getName({ name }),
  }
}

const asAdmin = (body: object, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/name',
    headers: { authorization: `Bearer ${adminApiKey}`, 'content-type': 'text/plain', ...headers },
    payload: JSON.stringify(body),
  })

test('a wallet sets a name, and anyone finds one by the other', async () => {
  const name = newName('Alice Øster ')
  const [alice, bob] = [await person(), await person()]
  const expected = [{ id: expect.any(Number), address: alice.address, name }]
  expect(await alice.setName(name, { domain: 'a.example', signupsite: 'b.example' })).toBe(1)
  for (const key of [
    alice.address,
    alice.address.toUpperCase().replace('X', 'x'),
    name,
    name.toUpperCase(),
    name.toLowerCase(),
  ])
    expect(await bob.lookUp(key)).toEqual(expected)
  expect(await bob.lookUp(newName('nobody'))).toEqual([])
  expect(await bob.lookUp(bob.address)).toEqual([])
})

test('the answer is how many rows changed', async () => {
  const name = newName('Alice')
  const alice = await person()
  expect(await alice.setName(name.toLowerCase())).toBe(1)
  expect(await alice.setName(name.toLowerCase())).toBe(0)
  expect(await alice.setName(name)).toBe(1)
  expect(await alice.setName(name, { domain: 'a.example' })).toBe(1)
  expect(await alice.setName(name, { domain: 'a.example' })).toBe(0)
  expect(await alice.setName(name)).toBe(0)
})

test('a wallet gives up its name: nobody finds it by it, and another may take it', async () => {
  const name = newName('Alice')
  const [alice, bob] = [await person(), await person()]
  await alice.setName(name)
  await alice.client.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: bob.address, message: 'gm' },
  })
  await bob.client.deleteName()
  await expect(bob.setName(name.toLowerCase())).rejects.toMatchObject({ code: 'conflict' })
  await alice.client.deleteName()
  expect(await bob.lookUp(name)).toEqual([])
  expect(await bob.lookUp(alice.address)).toEqual([])
  const [row] = await bob.client.getInbox({ address: bob.address })
  expect([row!.name, row!.sender_name]).toEqual(['', ''])
  await alice.client.deleteName()
  expect(await bob.setName(name.toLowerCase())).toBe(1)
})

test('a wallet names only itself', async () => {
  const name = newName('alice')
  const [alice, bob] = [await person(), await person()]
  await expect(
    alice.client.setName({ body: { address: bob.address, name: newName('bobby') } }),
  ).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await alice.client.setName({ body: { name } })).toBe(1)
  expect((await alice.lookUp(name))[0]?.address).toBe(alice.address)
  await service.app.inject({
    method: 'POST',
    url: '/v1/name',
    headers: { 'content-type': 'application/json' },
    payload: { address: alice.address, name: 'eve' },
  })
  expect(await bob.lookUp(alice.address)).toMatchObject([{ name }])
})

test('an id in the body is ignored', async () => {
  const name = newName('alice')
  const alice = await person()
  expect(await alice.setName(name, { id: 4711 })).toBe(1)
  expect((await alice.lookUp(name))[0]?.id).not.toBe(4711)
})

test('a name that looks like that of another is refused, in any case', async () => {
  const end = newName('')
  const [alice, eve] = [await person(), await person()]
  await alice.setName(`Alice${end}`)
  for (const name of ['Alice', 'alice', 'ALICE', 'аlice', 'aIice', 'A1ICE', 'ａｌｉｃｅ'])
    await expect(eve.setName(name + end), name).rejects.toMatchObject({ code: 'conflict' })
  expect(await eve.lookUp(eve.address)).toEqual([])
  // A wallet may choose from its own look-alikes.
  expect(await alice.setName(`ALICE${end}`)).toBe(1)
  expect(await alice.setName(`аlice${end}`)).toBe(1)
})

test('a changed name frees the old one, a refused change keeps it', async () => {
  const end = newName('')
  const [alice, bob] = [await person(), await person()]
  await alice.setName(`first${end}`)
  await bob.setName(`bobby${end}`)
  await expect(alice.setName(`Bobby${end}`)).rejects.toMatchObject({ code: 'conflict' })
  await expect(bob.setName(`fιrst${end}`)).rejects.toMatchObject({ code: 'conflict' })
  expect(await bob.lookUp(`first${end}`)).toMatchObject([{ address: alice.address }])
  await alice.setName(`second${end}`)
  expect(await bob.setName(`FIRST${end}`)).toBe(1)
  expect(await alice.lookUp(`first${end}`)).toMatchObject([{ address: bob.address, name: `FIRST${end}` }])
})

test('an unacceptable name is 400 and says what is allowed', async () => {
  const alice = await person()
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
  const [end, punks] = [newName(''), newWallet()]
  const [alice, bob] = [await person(), await person()]
  const answer = await asAdmin({
    name: `Punks${end}`,
    address: punks.toUpperCase().replace('X', 'x'),
  })
  expect([answer.statusCode, answer.json()]).toEqual([200, 1])
  expect(await alice.lookUp(`punks${end}`)).toMatchObject([{ address: punks }])
  expect(
    (
      await asAdmin({ name: `alice${end}`, address: alice.address }, { 'content-type': 'application/json' })
    ).json(),
  ).toBe(1)

  const refused: [object, number][] = [
    [{ name: `alice${end}`, address: bob.address }, 409],
    [{ name: 'root', address: bob.address }, 400],
    [{ name: 'bob.eth', address: bob.address }, 403],
    [{ name: `bobby${end}` }, 400],
    [{ address: bob.address }, 400],
  ]
  for (const [body, status] of refused) expect((await asAdmin(body)).statusCode).toBe(status)
  const browser = await asAdmin(
    { name: `bobby${end}`, address: bob.address },
    { origin: 'https://a.example' },
  )
  expect(browser.statusCode).toBe(403)
  expect(await alice.lookUp(bob.address)).toEqual([])
})

test('of many that want one name at once, on two instances, one gets it', async () => {
  const end = newName('')
  const looks = ['satoshi', 'Satoshi', 'SATOSHI', 'sаtoshi', 'SAT0SHI', 'satoshı'].map((look) => look + end)
  const wallets = await Promise.all(Array.from({ length: 24 }, (_, i) => person(i % 2 ? other : service)))
  const results = await Promise.allSettled(wallets.map(({ setName }, i) => setName(looks[i % looks.length]!)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
})

test('wallets that exchange names at once get a name or a conflict, never an error', async () => {
  const end = newName('')
  const wallets = await Promise.all(Array.from({ length: 6 }, (_, i) => person(i % 2 ? other : service)))
  const name = (i: number) => `wallet ${'abcdef'[i % 6]}${end}`
  await Promise.all(wallets.map(({ setName }, i) => setName(name(i))))
  for (let round = 1; round <= 15; round++) {
    const results = await Promise.allSettled(
      wallets.flatMap(({ setName }, i) => [setName(name(i + round)), setName(name(i + 2 * round))]),
    )
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
  }
  // The stored names are consistent: each name is that of one wallet, and its skeletons are its wallet's.
  const found = await service.ctx.db.query<{ skeletons: number; names: number }>(
    `select (select count(*) from name_skeletons s join names n using (address) where address = any ($1)) as skeletons,
       (select count(distinct folded) from names where address = any ($1)) as names`,
    [wallets.map(({ address }) => address)],
  )
  expect(found).toEqual([{ skeletons: expect.any(Number), names: 6 }])
  const unlike = await service.ctx.db.query(
    `select * from names n full join profiles p using (address) where p.name::json #>> '{}' is distinct from n.name`,
  )
  expect(unlike).toEqual([])
})

test('a repeated request with an Idempotency-Key gets the first answer', async () => {
  const name = newName('alice')
  const alice = await person()
  const set = () => alice.client.setName({ body: { address: alice.address, name } }, { idempotencyKey: 'k' })
  expect([await set(), await set()]).toEqual([1, 1])
})

test('a name of this service leads to its wallet, in any case; a name that nobody has is not found', async () => {
  const name = newName('Alicia')
  const [alice, bob] = [newWallet(), newWallet()]
  const asBob = await service.as(bob)
  await (await service.as(alice)).setName({ body: { address: alice, name } })
  expect(await asBob.resolveName({ name: name.replace('Alicia', 'aLICIA') })).toEqual({
    address: alice,
    name,
    source: 'service',
  })
  for (const unknown of [newName('nobody'), 'alicia.eth', alice])
    await expect(asBob.resolveName({ name: unknown }), unknown).rejects.toMatchObject({ code: 'not_found' })
})
