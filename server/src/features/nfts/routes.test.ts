import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { startRpcProxy } from '../../../../testing/service/proxies.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { look, startTokenHost } from '../../../../testing/chains/token-host.ts'

const { chain, host, site, asked, answers, owner, write, serve, mint, settings, start } =
  await startTokenHost()
const service = useService(settings)
const png = await sharp({
  create: { width: 600, height: 400, channels: 3, background: { r: 200, g: 30, b: 30 } },
})
  .png()
  .toBuffer()

const realNow = performance.now.bind(performance)
const later = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)

const sizeOf = async (dataUrl: string) => {
  const { format, width, height } = await sharp(Buffer.from(dataUrl.split(',')[1]!, 'base64')).metadata()
  return { format, width, height }
}

test('a token has its collection, name and owner, and a picture that the service has drawn', async () => {
  const token = await mint(`http://${site}/1.json`)
  serve('/1.json', { name: 'Red \u202ehat', image: `http://${site}/1.png` })
  serve('/1.png', png)
  const found = await look(service, token)
  expect(found.token).toEqual([
    {
      ...token,
      chain: String(chain.chainId),
      collection: 'Fine Pictures',
      name: 'Red hat',
      owner,
    },
  ])
  expect(found.picture).toEqual([
    { ...token, base64data: expect.stringMatching(/^data:image\/webp;base64,/) },
  ])
  expect(await sizeOf(found.picture[0]!.base64data)).toEqual({ format: 'webp', width: 256, height: 256 })
  // A known token is not fetched again, whatever wallet requests it and however the contract is written.
  await Promise.all([
    look(service, token),
    look(service, { ...token, nftaddr: token.nftaddr.toUpperCase().replace('0X', '0x') }),
  ])
  expect(asked).toEqual(['/1.json', '/1.png'])
})

test('of many who look at a token at once, one fetches it', async () => {
  const token = await mint(`http://${site}/1.json`)
  serve('/1.json', { name: 'one', image: `http://${site}/1.png` })
  serve('/1.png', png)
  const found = await Promise.all(Array.from({ length: 10 }, () => look(service, token)))
  for (const {
    token: [one],
    picture,
  } of found)
    expect([one!.name, picture.length]).toEqual(['one', 1])
  expect(asked).toEqual(['/1.json', '/1.png'])
})

test('the owner is a minute old at most, and is not fetched from the metadata', async () => {
  try {
    const token = await mint(`http://${site}/1.json`)
    serve('/1.json', { name: 'one', owner: newWallet() })
    const buyer = newWallet()
    const ownerOf = async () => (await look(service, token)).token[0]!.owner
    expect(await ownerOf()).toBe(owner)
    await write('move', [buyer, BigInt(token.nftid)])
    later(61_000)
    expect(await ownerOf()).toBe(buyer)
    expect(asked).toEqual(['/1.json'])
  } finally {
    vi.restoreAllMocks()
  }
})

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

test.each([
  ['base64', (json: string) => `data:application/json;base64,${base64(json)}`],
  ['percent', (json: string) => `data:application/json,${encodeURIComponent(json)}`],
  ['plain text, as contracts often have it', (json: string) => `data:application/json;utf8,${json}`],
])('metadata and picture may be in the contract itself: %s', async (_, toUrl) => {
  await using own = await start({ beside: service, privateFetchHosts: [] })
  const json = JSON.stringify({ name: 'Hat #1 100%', image: `data:image/png;base64,${base64(png)}` })
  const found = await look(own, await mint(toUrl(json)))
  expect([found.token[0]!.name, found.picture.length]).toEqual(['Hat #1 100%', 1])
})

test('IPFS is read through the gateway of the operator, and not at all without one', async () => {
  const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
  serve(`/ipfs/${cid}/1.json`, { name: 'far away', image: `ipfs://ipfs/${cid}/1.png` })
  serve(`/ipfs/${cid}/1.png`, png)
  const token = await mint(`ipfs://${cid}/1.json`)
  await using own = await start({ beside: service, privateFetchHosts: [], ipfsGateway: `http://${site}` })
  expect(await look(own, token)).toMatchObject({ token: [{ name: 'far away' }], picture: [{}] })
  // Nothing else of the gateway is reachable.
  serve('/api/v0/secrets', { name: 'secret' })
  for (const path of ['../api/v0/secrets', '..%2fapi/v0/secrets', '/../api/v0/secrets'])
    expect(await look(own, await mint(`ipfs://${path}`))).toMatchObject({ token: [{ name: '' }] })
  expect(asked).not.toContain('/api/v0/secrets')
  await using without = await start({ privateFetchHosts: [] })
  expect(await look(without, token)).toMatchObject({ token: [{ name: '' }], picture: [] })
})

test('where a token has a private address, a redirect to one, or no picture, its card is plain', async () => {
  const other = site.replace('127.0.0.1', 'localhost')
  answers.set('/redirect.json', (_request, response) =>
    response.writeHead(302, { location: `http://${other}/secret.json` }).end(),
  )
  serve('/secret.json', { name: 'secret' })
  serve('/list.json', ['secret'])
  serve('/null.json', Buffer.from('null'))
  serve('/text.json', Buffer.from('secret'))
  serve('/types.json', { name: { secret: 1 }, image: 5 })
  serve('/large.json', { name: 'secret', more: 'x'.repeat(1024 * 1024) })
  for (const uri of [
    '',
    `http://${other}/secret.json`,
    `https://${other}/secret.json`,
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    ...['redirect', 'list', 'null', 'text', 'types', 'large', 'missing'].map(
      (name) => `http://${site}/${name}.json`,
    ),
  ])
    expect(await look(service, await mint(uri)), uri).toMatchObject({
      token: [{ collection: 'Fine Pictures', name: '', owner }],
      picture: [],
    })
  expect(asked).not.toContain('/secret.json')
})

test('what is no picture, or may harm who decodes it, is not shown; the name is', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  serve('/svg', Buffer.from(svg))
  serve('/html', Buffer.from('<!doctype html>'))
  serve('/half', png.subarray(0, 200))
  serve('/large', Buffer.alloc(8 * 1024 * 1024 + 1))
  for (const image of [
    ...['svg', 'html', 'half', 'large', 'missing'].map((name) => `http://${site}/${name}`),
    `data:image/svg+xml;utf8,${svg}`,
    'https://10.0.0.1/hat.png',
  ]) {
    serve('/x.json', { name: 'named', image })
    expect(await look(service, await mint(`http://${site}/x.json`)), image).toMatchObject({
      token: [{ name: 'named' }],
      picture: [],
    })
  }
})

test('what could not be had is tried again after a minute', async () => {
  try {
    const token = await mint(`http://${site}/late.json`)
    expect((await look(service, token)).token[0]!.name).toBe('')
    serve('/late.json', { name: 'late' })
    expect((await look(service, token)).token[0]!.name).toBe('')
    expect(asked).toEqual(['/late.json'])
    later(61_000)
    expect((await look(service, token)).token[0]!.name).toBe('late')
  } finally {
    vi.restoreAllMocks()
  }
})

test('an ERC-1155 token has the id in its address, and no single owner', async () => {
  const { address } = await chain.deploy('Tokens.sol', 'Editions', [`http://${site}/{id}.json`])
  serve(`/${'ff'.padStart(64, '0')}.json`, { name: 'Print' })
  expect((await look(service, { nftaddr: address, nftid: '255' })).token).toMatchObject([
    { collection: 'Editions', name: 'Print', owner: '' },
  ])
})

test('NFT_METADATA=false asks the chains and fetches nothing', async () => {
  await using own = await start({ beside: service, nftMetadata: false })
  serve('/1.json', { name: 'one', image: `http://${site}/1.png` })
  expect(await look(own, await mint(`http://${site}/1.json`))).toMatchObject({
    token: [{ collection: 'Fine Pictures', name: '', owner }],
    picture: [],
  })
  expect(asked).toEqual([])
})

const offChain = useService({ beside: service })

test('what no chain knows is nothing: another address, an id that is none, a service without chains', async () => {
  const token = await mint('')
  const nothing = { token: [], picture: [] }
  for (const [nftaddr, nftid] of [
    [newWallet(), '1'],
    ['poap_1', '1'],
    [token.nftaddr, 'x'],
    [token.nftaddr, '-1'],
    [token.nftaddr, String(2n ** 256n)],
  ] as const)
    expect(await look(service, { nftaddr, nftid })).toEqual(nothing)
  expect(await look(offChain, token)).toEqual(nothing)
})

test('a chain that is away is a bad gateway, is not remembered, and its address stays secret', async () => {
  await using proxy = await startRpcProxy(chain.url)
  await using own = await start({ beside: service, rpcUrls: { 1: `${proxy.url}/secret` } })
  const token = await mint('')
  proxy.intercept(() => ({ status: 500, body: 'down' }))
  await expect(look(own, token)).rejects.toMatchObject({
    code: 'bad_gateway',
    message: expect.not.stringContaining('secret'),
  })
  proxy.intercept(() => undefined)
  expect((await look(own, token)).token).toHaveLength(1)
})

test('a wallet may ask the chains so often; what is known costs nothing', async () => {
  await using own = await start({
    beside: service,
    rateLimits: true,
    chainLimit: { burst: 2, perSecond: 0.01 },
  })
  const [caller, known, unknown] = [newWallet(), await mint(''), await mint('')]
  for (let n = 0; n < 5; n++) await look(own, known, caller)
  await expect(look(own, unknown, caller)).rejects.toMatchObject({ code: 'rate_limited' })
  expect((await look(own, unknown)).token).toHaveLength(1)
})

test('a host that never answers holds up nobody but who asks for it', async () => {
  await using own = await start({ beside: service, rateLimits: true })
  answers.set('/never.json', () => {})
  serve('/1.json', { name: 'one' })
  const slow = [
    await mint(`http://${site}/never.json`),
    await mint(`http://${site}/never.json?2`),
    await mint(`http://${site}/never.json?3`),
  ]
  answers.set('/never.json?2', () => {})
  answers.set('/never.json?3', () => {})
  const attacker = await own.as(newWallet())
  const waiting = slow.map((token) => attacker.getNft(token))
  await expect.poll(() => asked.length).toBe(2)
  expect((await look(own, await mint(`http://${site}/1.json`))).token[0]!.name).toBe('one')
  host.closeAllConnections()
  await expect.poll(() => asked.length).toBe(4)
  host.closeAllConnections()
  expect((await Promise.all(waiting)).map(([found]) => found!.name)).toEqual(['', '', ''])
})
