import { expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import {
  clientOf,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { issueToken } from '../../auth/tokens.ts'
import { changeOfficials } from './commands.ts'

const shared = useService({
  publicUrl: 'https://chat.night-market.example',
  officialWords: ['Stallholders desk'],
})

async function newOperator(service: Service) {
  const address = newWallet()
  await addOperator(service, address)
  return { address, client: await service.as(address) }
}

const setName = async (address: string, name: string) =>
  (await shared.as(address)).setName({ body: { name } })

test('anybody reads who is on the team, and checks one wallet; an operator names others, with a recent sign-in', async () => {
  const [operator, walletaddr, stranger] = [await newOperator(shared), newWallet(), newWallet()]
  const { client } = operator
  const before = Date.now()
  const [named] = await client.addOfficial({ walletaddr, body: { label: 'Support' } })
  expect(named).toEqual({ address: walletaddr, label: 'Support', since: expect.any(String) })
  expect(Math.abs(Date.parse(named!.since) - before)).toBeLessThan(60_000)
  expect(await shared.anonymous.listOfficial()).toContainEqual(named)
  expect(await shared.anonymous.getOfficial({ walletaddr })).toEqual([named])
  expect(
    await shared.anonymous.getOfficial({ walletaddr: walletaddr.toUpperCase().replace('0X', '0x') }),
  ).toEqual([named])
  expect(await shared.anonymous.getOfficial({ walletaddr: stranger })).toEqual([])
  const answer = await shared.app.inject('/v1/official')
  expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=30')
  // Another label keeps the time; repeating it changes nothing.
  for (let n = 0; n < 2; n++)
    expect(await client.addOfficial({ walletaddr, body: { label: "Treasury & O'Brien" } })).toEqual([
      { ...named, label: "Treasury & O'Brien" },
    ])
  const self = { code: 'bad_request', errors: [{ detail: expect.stringContaining('yourself') }] }
  const own = { walletaddr: operator.address }
  await expect(client.addOfficial({ ...own, body: { label: 'Support' } })).rejects.toMatchObject(self)
  await expect(client.removeOfficial(own)).rejects.toMatchObject(self)
  for (const label of [
    '',
    ' Support',
    'Support ✓',
    'Support!',
    '\u202eSupport',
    'a  b',
    'x'.repeat(33),
    '(official)',
  ])
    await expect(client.addOfficial({ walletaddr, body: { label } }), label).rejects.toMatchObject({
      code: 'bad_request',
      errors: [{ pointer: '/body/label' }],
    })
  const theirs = await shared.as(stranger)
  await expect(theirs.addOfficial({ walletaddr: newWallet(), body: { label: 'x' } })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const old = clientOf(shared.app, {
    token: await issueToken(shared.ctx, operator.address, { signedIn: Date.now() - 3_700_000 }),
  })
  await expect(old.removeOfficial({ walletaddr })).rejects.toMatchObject({ code: 'old_sign_in' })
  await client.removeOfficial({ walletaddr })
  expect(await shared.anonymous.getOfficial({ walletaddr })).toEqual([])
  await expect(client.removeOfficial({ walletaddr })).rejects.toMatchObject({ code: 'not_found' })
  const log = (await client.listModerationLog({})).filter(({ subject }) => subject === walletaddr)
  expect(log.map(({ operator: who, action, reason }) => [who, action, reason])).toEqual([
    [operator.address, 'official_remove', "Treasury & O'Brien"],
    [operator.address, 'official_add', "Treasury & O'Brien"],
    [operator.address, 'official_add', 'Support'],
  ])
})

test('a name that says it is of the team is for the team alone; one that was there stays and is not official', async () => {
  const { client } = await newOperator(shared)
  const [team, eve, mira] = [newWallet(), newWallet(), newWallet()]
  expect(await setName(mira, 'Florist')).toBe(1)
  await client.addOfficial({ walletaddr: team, body: { label: 'Florist' } })
  for (const name of [
    'Support',
    'Ѕuрроrt tеаm',
    'Night Market',
    'night-market help',
    'The Team',
    'stallholders_desk',
    'FIorist 2',
    'Служба поддержки',
  ])
    await expect(setName(eve, name), name).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('Only wallets that its operator has named may have it'),
    })
  expect(await setName(eve, 'Eve')).toBe(1)
  const asEve = await shared.as(eve)
  await expect(asEve.createCommunity({ body: { community: 'nightmarket' } })).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await asEve.createCommunity({ body: { community: 'garden-team' } })).toHaveLength(1)
  for (const name of ['Night Market Support', 'Support']) expect(await setName(team, name)).toBe(1)
  const trust = async (peer: string) => (await asEve.getTrust({ peer }))[0]!
  expect(await trust(team)).toMatchObject({ name: 'Support', official: 'Florist' })
  expect(await trust(mira)).toMatchObject({ name: 'Florist', claims_official: true })
  const asked = await trust(eve)
  expect([asked.official, asked.claims_official]).toEqual([undefined, undefined])
  await client.removeOfficial({ walletaddr: team })
  const left = await trust(team)
  expect([left.name, left.official, left.claims_official]).toEqual(['Support', undefined, true])
})

test('the administrator names wallets by the command line; every instance follows, the limit holds, and the log is whole', async () => {
  await using service = await startService({ refreshEvery: 50 })
  await using other = await startService({ beside: service, refreshEvery: 50 })
  const url = service.ctx.databaseUrl
  const [address, second] = [newWallet(), newWallet()]
  const run = (what: string, wallet?: string, label?: string) => changeOfficials(url, what, wallet, label)
  expect((await run('list')).text).toBe('No wallet is on the team.')
  expect((await run('add', address, 'Support')).text).toContain('“Official: Support”')
  expect((await run('add', address, 'Support')).text).toContain('already')
  for (const [wallet, label] of [
    [address, 'Support ✓'],
    [address, undefined],
    ['mira', 'Support'],
  ] as const)
    await expect(run('add', wallet, label)).rejects.toThrow(/^Say /)
  for (const { anonymous } of [service, other])
    await expect
      .poll(() => anonymous.listOfficial(), { timeout: 5_000 })
      .toMatchObject([{ address, label: 'Support' }])
  await service.ctx.db.query(
    `insert into officials (address, label, named_by, since_ms) select 'many-' || n, 'Many', 'a test', n from generate_series(1, 99) n`,
  )
  await expect(run('add', second, 'Support')).rejects.toThrow('100 wallets already')
  const { client } = await newOperator(service)
  await expect(client.addOfficial({ walletaddr: second, body: { label: 'Late' } })).rejects.toMatchObject({
    code: 'limit_reached',
  })
  expect((await run('remove', address)).text).toContain('not on the team any more')
  expect((await run('remove', address)).text).toContain('was not on the team')
  await expect
    .poll(() => other.anonymous.getOfficial({ walletaddr: address }), { timeout: 5_000 })
    .toEqual([])
  const log = await client.listModerationLog({})
  expect(log.map(({ operator, action }) => [operator, action])).toEqual([
    ['command-line', 'official_remove'],
    ['command-line', 'official_add'],
  ])
})
