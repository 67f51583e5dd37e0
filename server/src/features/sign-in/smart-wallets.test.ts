import { signInWith } from '@parley/sdk/sign-in.ts'
import { createServer } from 'node:http'
import {
  concatHex,
  encodeFunctionData,
  getAddress,
  hashMessage,
  type Hex,
  hexToBytes,
  pad,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseErc6492Signature, serializeErc6492Signature } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { startRpcProxy } from '../../../../testing/service/proxies.ts'
import { injectInto, type Service, startService, useService } from '../../../../testing/service/service.ts'
import { verifySignature } from './signature.ts'

let chain: Chain
let rpcUrls: Record<string, string>
beforeAll(async () => {
  chain = await startChain()
  rpcUrls = { [chain.chainId]: chain.url }
})
afterAll(() => chain[Symbol.asyncDispose]())
const service = useService(() => ({ rpcUrls }))

const owner = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const text = 'gm'

const verify = (
  address: string,
  signature: string,
  options: { chainId?: number; rpcUrls?: Record<string, string>; signed?: string } = {},
) =>
  verifySignature(
    { rpcUrls: options.rpcUrls ?? rpcUrls },
    { address, text: options.signed ?? text, signature, chainId: options.chainId ?? chain.chainId },
  )

/** Makes a wallet that will be at its address as soon as someone pays for it. */
async function futureWallet() {
  const factory = await chain.deploy('OwnedWallet.sol', 'WalletFactory')
  const args = [owner.address, pad('0x1')] as const
  const address = getAddress(
    String(await chain.client.readContract({ ...factory, functionName: 'addressOf', args })),
  )
  const data = encodeFunctionData({ abi: factory.abi, functionName: 'deploy', args })
  const wrap = (signature: Hex) => serializeErc6492Signature({ address: factory.address, data, signature })
  return { address: address.toLowerCase(), factory, args, wrap }
}

/** Signs a wallet in with what its owner, or someone else, makes of the message. */
const signIn = (
  { app }: Service,
  address: string,
  signer: typeof owner,
  wrap = (signature: Hex) => signature,
) =>
  signInWith(
    { baseUrl: '', fetch: injectInto(app) },
    {
      address,
      chainId: chain.chainId,
      signMessage: async (message) => wrap(await signer.signMessage({ message })),
    },
  )

const offline = useService({ beside: service })

test('smart wallets sign in to a service that can ask their chain', async () => {
  const deployed = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const future = await futureWallet()
  const refused = { code: 'unauthorized' }

  const { token } = await signIn(service, deployed.address, owner)
  const headers = { authorization: `Bearer ${token}` }
  expect((await service.app.inject({ url: `/v1/get_inbox/${deployed.address}`, headers })).json()).toEqual([])
  await expect(signIn(service, deployed.address, stranger)).rejects.toMatchObject(refused)
  expect((await signIn(service, future.address, owner, future.wrap)).expiresIn).toBe(86_400)
  await expect(signIn(service, future.address, stranger, future.wrap)).rejects.toMatchObject(refused)
  await expect(signIn(service, future.address, owner)).rejects.toMatchObject(refused)

  // Without EIP-4361 no chain is named; without its RPC URL it cannot be queried.
  const { nonce } = await service.anonymous.getNonce({ address: deployed.address })
  const sig = await owner.signMessage({ message: nonce })
  const free = service.anonymous.signIn({ body: { address: deployed.address, nonce, sig } })
  await expect(free).rejects.toMatchObject(refused)
  await expect(signIn(offline, deployed.address, owner)).rejects.toMatchObject(refused)
  await expect(signIn(offline, future.address, owner, future.wrap)).rejects.toMatchObject(refused)
})

test('a wallet that keeps approved hashes signs in with an empty signature, once it has approved', async () => {
  await using proxy = await startRpcProxy(chain.url)
  await using own = await startService({ beside: service, rpcUrls: { [chain.chainId]: proxy.url } })
  const { address, abi } = await chain.deploy('OwnedWallet.sol', 'ApprovingWallet')
  const signInWithout = async (who: string, approve?: boolean, sig = '0x') => {
    const { message } = await own.anonymous.getNonce({ address: who })
    const msg = message.replace('Chain ID: 1', `Chain ID: ${chain.chainId}`)
    const args = [hashMessage(msg)]
    if (approve) await chain.write({ address, abi }, 'approve', args)
    return own.anonymous.signIn({ body: { address: who, msg, sig } })
  }
  expect(await signInWithout(address, true)).toBe(86_400)
  expect(await signInWithout(address, true, ' 0X ')).toBe(86_400)
  expect(await signInWithout(address, true, '0x00')).toBe(86_400)
  await expect(signInWithout(address)).rejects.toMatchObject({ code: 'unauthorized' })

  // A plain wallet costs one query, and one that answers with the query is no wallet.
  proxy.calls.length = 0
  const plain = stranger.address.toLowerCase()
  await expect(signInWithout(plain)).rejects.toMatchObject({ code: 'unauthorized' })
  expect(proxy.calls.map(({ method }) => method)).toEqual(['eth_getCode'])
  const echo = await chain.deploy('OwnedWallet.sol', 'Echo')
  for (const other of [echo.address, '0x0000000000000000000000000000000000000004'])
    await expect(signInWithout(other)).rejects.toMatchObject({ code: 'unauthorized' })

  // Where the text names no chain, or another one, nothing is queried.
  proxy.calls.length = 0
  const { nonce, message } = await own.anonymous.getNonce({ address })
  for (const body of [
    { address, nonce, sig: '0x' },
    { address, msg: message, sig: '0x' },
  ])
    await expect(own.anonymous.signIn({ body })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(proxy.calls).toEqual([])

  // A failure of the contract is its answer; a failure of the node is not.
  proxy.intercept(({ method }) =>
    method === 'eth_call' ? { error: { code: -32000, message: 'Bad instruction fe' } } : undefined,
  )
  await expect(signInWithout(address, true)).rejects.toMatchObject({ code: 'unauthorized' })
  proxy.intercept(({ method }) =>
    method === 'eth_call' ? { error: { code: -32000, message: 'missing trie node' } } : undefined,
  )
  await expect(signInWithout(address, true)).rejects.toMatchObject({ code: 'bad_gateway' })
})

test('a chain that goes down is a bad gateway, and does not cost the nonce', async () => {
  const frail = await startChain()
  await using own = await startService({ beside: service, rpcUrls: { [chain.chainId]: frail.url } })
  const { address } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  await expect(signIn(own, address, owner)).rejects.toMatchObject({ code: 'unauthorized' })
  await frail[Symbol.asyncDispose]()

  const { message } = await own.anonymous.getNonce({ address })
  const msg = message.replace('Chain ID: 1', `Chain ID: ${chain.chainId}`)
  const body = { address, msg, sig: await owner.signMessage({ message: msg }) }
  await expect(own.anonymous.signIn({ body })).rejects.toMatchObject({ code: 'bad_gateway' })
  expect(await service.anonymous.signIn({ body })).toBe(86_400)
})

test('a deployed wallet signs through its owner (EIP-1271)', async () => {
  const { address } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const good = await owner.signMessage({ message: text })
  expect(await verify(address, good)).toBe(true)
  expect(await verify(address, await stranger.signMessage({ message: text }))).toBe(false)
  expect(await verify(address, await owner.signMessage({ message: 'gn' }))).toBe(false)
  expect(await verify(address, '0x00')).toBe(false)
  expect(await verify(address, concatHex([good, '0x00']))).toBe(false)
  expect(await verify(address, good, { chainId: 1 })).toBe(false)
})

test('a wallet that does not exist yet signs through its owner (EIP-6492), and still once it exists', async () => {
  const { address, factory, args, wrap } = await futureWallet()
  const good = await owner.signMessage({ message: text })
  expect(await verify(address, wrap(good))).toBe(true)
  expect(await verify(address, wrap(await stranger.signMessage({ message: text })))).toBe(false)
  expect(await verify(address, good)).toBe(false)
  expect(await verify(stranger.address.toLowerCase(), wrap(good))).toBe(false)
  expect(await chain.client.getCode({ address: getAddress(address) })).toBeUndefined()

  await chain.write(factory, 'deploy', args)
  expect(await verify(address, wrap(good))).toBe(true)
  expect(await verify(address, good)).toBe(true)
})

test('no one signs in as a contract that is no wallet, or as a precompiled one', async () => {
  const { factory, wrap } = await futureWallet()
  const good = await owner.signMessage({ message: text })
  expect(await verify(factory.address, good)).toBe(false)
  for (let number = 1; number < 20; number++) {
    const address = pad(`0x${number.toString(16)}`, { size: 20 })
    expect([address, await verify(address, wrap(good)), await verify(address, hashMessage(text))]).toEqual([
      address,
      false,
      false,
    ])
  }
})

test('a plain account never asks the chain', async () => {
  const down = { [chain.chainId]: 'http://127.0.0.1:9' }
  const address = owner.address.toLowerCase()
  expect(await verify(address, await owner.signMessage({ message: text }), { rpcUrls: down })).toBe(true)
})

test('junk is refused by the chain, and is not a failure of the chain', async () => {
  const { address } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const suffix = `0x${'6492'.repeat(16)}` as const
  for (const junk of [
    '0x01',
    `0x${'00'.repeat(65)}`,
    suffix,
    concatHex(['0x1234', suffix]),
    `0x${'ab'.repeat(8192)}`,
  ])
    expect(await verify(address, junk)).toBe(false)
})

test.each([
  ['is down', null],
  ['answers with an error page', { status: 500, body: '<html>' }],
  [
    'limits us',
    { status: 429, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}' },
  ],
  [
    'lacks the method',
    { status: 200, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}' },
  ],
])('a chain whose node %s is a bad gateway, and its URL stays secret', async (_, answer) => {
  const server = createServer((_request, response) =>
    response.writeHead(answer?.status ?? 200).end(answer?.body),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  if (!answer) server.close()
  const url = `http://127.0.0.1:${port}/secret-key`
  const failure = verify(stranger.address.toLowerCase(), '0x1234', { rpcUrls: { [chain.chainId]: url } })
  await expect(failure).rejects.toMatchObject({
    code: 'bad_gateway',
    message: expect.not.stringContaining('secret'),
  })
  server.close()
})

/** Returns the bytes with each of them changed in turn. */
const changed = (signature: Hex): Hex[] =>
  Array.from(hexToBytes(signature), (_, at) => {
    const bytes = hexToBytes(signature)
    bytes[at]! ^= 1
    return toHex(bytes)
  })

test('an account that runs the code of a contract signs with its own key, and as that code says (EIP-7702)', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const code = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const authorization = await account.signAuthorization({
    contractAddress: getAddress(code.address),
    chainId: chain.chainId,
    nonce: 0,
  })
  await chain.send({ to: getAddress(pad('0xdead', { size: 20 })), authorizationList: [authorization] })
  expect(await chain.client.getCode({ address: account.address })).toBe(concatHex(['0xef0100', code.address]))

  const address = account.address.toLowerCase()
  expect(await verify(address, await account.signMessage({ message: text }))).toBe(true)
  expect(await verify(address, await owner.signMessage({ message: text }))).toBe(true)
  expect(await verify(address, await stranger.signMessage({ message: text }))).toBe(false)
  // The owner of the code is no other account that runs it, and the account is not the contract.
  expect(await verify(stranger.address.toLowerCase(), await owner.signMessage({ message: text }))).toBe(false)
  expect(await verify(code.address, await account.signMessage({ message: text }))).toBe(false)
})

test('no byte of what a contract confirms can be another, and no letter of the text (EIP-1271)', async () => {
  const { address } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const good = await owner.signMessage({ message: text })
  expect(await verify(address, good)).toBe(true)
  const results = await Promise.all(changed(good).map(async (bad) => verify(address, bad)))
  expect(results).toEqual(Array.from({ length: 65 }, () => false))
  for (const other of ['gn', 'hm', 'gm ', 'Gm'])
    expect(await verify(address, good, { signed: other })).toBe(false)
})

test('of a wallet that does not exist yet, a changed byte is refused where it means anything (ERC-6492)', async () => {
  const { address, wrap } = await futureWallet()
  const wrapped = wrap(await owner.signMessage({ message: text }))
  const length = parseErc6492Signature(wrapped).data!.length
  expect(await verify(address, wrapped)).toBe(true)
  const meaning = (bytes: Hex) => {
    try {
      const { address: by = '', data: call = '', signature: inner } = parseErc6492Signature(bytes)
      // A call may have bytes behind those that its function reads.
      return [by, call.slice(0, length), inner].join(' ').toLowerCase()
    } catch {
      return 'none'
    }
  }
  const results = await Promise.all(
    changed(wrapped).map(async (bad) => ({ bad, holds: await verify(address, bad) })),
  )
  // Only bytes that fill up what was written in ABI's form may be others, as with any contract.
  const wrong = results.filter(({ bad, holds }) => holds && meaning(bad) !== meaning(wrapped))
  expect(wrong).toEqual([])
  expect(results.filter(({ holds }) => !holds).length).toBeGreaterThan(65 + 20 + 32)
})
