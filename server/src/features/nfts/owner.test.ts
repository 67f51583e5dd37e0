import { expect, test, vi } from 'vitest'
import { startTokenHost } from '../../../../testing/chains/token-host.ts'
import { newWallet, type Service } from '../../../../testing/service/service.ts'

const { chain, pictures, owner, write, mint, start } = await startTokenHost()

const ownerOf = async (
  { app }: Service,
  { nftaddr, nftid }: { nftaddr: string; nftid: string },
  query = '',
  remoteAddress = '127.0.0.1',
) => app.inject({ url: `/v1/nft_owner/${nftaddr}/${nftid}${query}`, remoteAddress })

test('anyone reads who owns a token and from whom the owner takes messages, a minute old at most', async () => {
  await using service = await start()
  const token = await mint('')
  const answer = await ownerOf(service, token)
  expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([
    200,
    [{ owner, is_contract: false, accepts: service.ctx.config.dmDefault }],
    'public, max-age=60',
  ])
  await (await service.as(owner)).setDmPolicy({ body: { who: 'contacts' } })
  const loud = { ...token, nftaddr: token.nftaddr.toUpperCase().replace('0X', '0x') }
  expect((await ownerOf(service, loud)).json()).toMatchObject([{ accepts: 'contacts' }])
  expect((await ownerOf(service, token, `?chain=${chain.chainId}`)).json()).toMatchObject([{ owner }])
  const buyer = newWallet()
  const realNow = performance.now.bind(performance)
  try {
    await write('move', [buyer, BigInt(token.nftid)])
    vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 61_000)
    expect((await ownerOf(service, token)).json()).toMatchObject([{ owner: buyer }])
  } finally {
    vi.restoreAllMocks()
  }
})

test('a contract that owns a token is named as one, also to wallets; nobody is named for a burnt one, or none', async () => {
  await using service = await start()
  const [listed, burnt] = [await mint(''), await mint('')]
  await write('move', [pictures.address, BigInt(listed.nftid)])
  await write('move', ['0x000000000000000000000000000000000000dEaD', BigInt(burnt.nftid)])
  expect((await ownerOf(service, listed)).json()).toMatchObject([
    { owner: pictures.address.toLowerCase(), is_contract: true },
  ])
  const client = await service.as(newWallet())
  expect(await client.getNft(listed)).toMatchObject([{ owned_by_contract: true }])
  for (const token of [burnt, { ...listed, nftid: '999999' }, { nftaddr: newWallet(), nftid: '1' }]) {
    const answer = await ownerOf(service, token)
    expect([answer.statusCode, answer.json()]).toEqual([200, []])
  }
  for (const token of [
    { ...listed, nftid: 'x' },
    { nftaddr: 'town', nftid: '1' },
  ])
    expect((await ownerOf(service, token)).json()).toEqual([])
})

test('of ERC-1155 nobody is named, however many have a part of a token', async () => {
  await using service = await start()
  const badges = await chain.deploy('Tokens.sol', 'Badges')
  const give = (to: string, id: bigint, amount: bigint) => chain.write(badges, 'mint', [to, id, amount])
  // Also of one that only one wallet has.
  await give(owner, 1n, 1n)
  for (const wallet of [owner, newWallet()]) await give(wallet, 2n, 5n)
  for (const nftid of ['1', '2', '3'])
    for (const query of ['', `?chain=${chain.chainId}`]) {
      const answer = await ownerOf(service, { nftaddr: badges.address, nftid }, query)
      expect([answer.statusCode, answer.json()]).toEqual([200, []])
    }
  // The service knows the contract, and says so to wallets.
  const client = await service.as(newWallet())
  const [known] = await client.getNft({ nftaddr: badges.address, nftid: '2' })
  expect(known).toMatchObject({ chain: String(chain.chainId), owner: '' })
})

test('EMBED_CONTRACTS restricts it to some contracts, and a chain that is not asked is refused', async () => {
  await using service = await start({ embedContracts: [pictures.address.toLowerCase()] })
  const token = await mint('')
  expect((await ownerOf(service, token)).json()).toMatchObject([{ owner }])
  expect((await ownerOf(service, { ...token, nftaddr: newWallet() })).statusCode).toBe(403)
  const unknown = await ownerOf(service, token, '?chain=424242')
  expect([unknown.statusCode, unknown.json().errors]).toEqual([
    400,
    [{ pointer: '/query/chain', detail: 'must be a chain that this service asks' }],
  ])
})

test('lookups count by network address, and what is known costs none', async () => {
  await using service = await start({ rateLimits: true, chainLimit: { burst: 3, perSecond: 0.001 } })
  const tokens = [await mint(''), await mint(''), await mint('')]
  const statusOf = async (n: number, from?: string) =>
    (await ownerOf(service, tokens[n]!, '', from)).statusCode
  // The first one also finds the chain of the contract.
  expect([await statusOf(0), await statusOf(1), await statusOf(0), await statusOf(2)]).toEqual([
    200, 200, 200, 429,
  ])
  expect((await ownerOf(service, tokens[2]!)).json().detail).toContain('for your network address')
  expect(await statusOf(2, '127.0.0.2')).toBe(200)
})
