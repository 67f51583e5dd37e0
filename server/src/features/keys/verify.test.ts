// The service asks the contract of a smart wallet whether it has signed a key.

import { keyStatementText, writeContractProof } from '@parley/sdk/key-statement.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashMessage, type Hex } from 'viem'
import { type Chain, startChain } from '../../../../testing/chains/chain.ts'
import { startRpcProxy } from '../../../../testing/service/proxies.ts'
import { newWallet, useService } from '../../../../testing/service/service.ts'

let chain: Chain
let proxy: Awaited<ReturnType<typeof startRpcProxy>>
const chainLimit = { burst: 8, perSecond: 0.001 }
beforeAll(async () => {
  chain = await startChain()
  proxy = await startRpcProxy(chain.url)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})
const service = useService(() => ({ rpcUrls: { [chain.chainId]: proxy.url }, rateLimits: true, chainLimit }))

const key = 'pOCSkrZRwni5dyxWn1-puxPZBrRqtoyd-dwrRAn4ogk'
const owner = privateKeyToAccount(generatePrivateKey())
const claim = `on 1 ${key}`

const textFor = (address: string, { host = new URL(service.ctx.config.publicUrl).host, number = 1 } = {}) =>
  keyStatementText({ host, address, claim: key }, { chainId: chain.chainId, number })!
const proofOf = (signature: Hex, chainId = chain.chainId) =>
  writeContractProof({ chainId, number: 1, signature })

test('a contract confirms the key that its owner has signed for this host, and nothing else', async () => {
  const { address } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const verify = async (body: { claim?: string; proof: string; address?: string }) =>
    (await service.as(newWallet())).verifyKey({ body: { address, claim, ...body } })
  const sign = async (message: string) => proofOf(await owner.signMessage({ message }))
  const proof = await sign(textFor(address))
  expect(await verify({ proof })).toEqual({ holds: true, chain_id: chain.chainId })
  expect(await verify({ proof, claim: key })).toMatchObject({ holds: true })
  expect(await verify({ proof, claim: `on 1 ${'A'.repeat(43)}` })).toMatchObject({ holds: false })
  expect(await verify({ proof, claim: 'off 1' })).toMatchObject({ holds: false })
  expect(await verify({ proof, address: newWallet() })).toMatchObject({ holds: false })
  expect(await verify({ proof, address: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb' })).toMatchObject({
    holds: false,
  })
  const elsewhere = await sign(textFor(address, { host: 'other.example' }))
  expect(await verify({ proof: elsewhere })).toMatchObject({ holds: false })
  expect(await verify({ proof: await sign(textFor(address, { number: 2 })) })).toMatchObject({ holds: false })

  for (const [body, pointer] of [
    [{ proof: 'parley-proof-1.AAAA' }, '/body/proof'],
    [{ proof, claim: `on 2 ${key}` }, '/body/claim'],
    [{ proof, claim: 'on' }, '/body/claim'],
  ] as const)
    await expect(verify(body)).rejects.toMatchObject({ code: 'bad_request', errors: [{ pointer }] })
  await expect(verify({ proof: proof.replace(`${chain.chainId}`, '8453') })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('chain 8453'),
  })
})

test('a wallet that keeps approved hashes proves a key with an empty signature, once it has approved', async () => {
  const { address, abi } = await chain.deploy('OwnedWallet.sol', 'ApprovingWallet')
  const asAnyone = await service.as(newWallet())
  const verify = async () =>
    (await asAnyone.verifyKey({ body: { address, claim, proof: proofOf('0x') } })).holds
  await chain.write({ address, abi }, 'approve', [hashMessage(textFor(address))])
  expect(await verify()).toBe(true)
})

test('the same question is asked once, many count, and a chain that does not answer is a 502', async () => {
  const { address } = await chain.deploy('OwnedWallet.sol', 'OwnedWallet', [owner.address])
  const asEve = await service.as(newWallet())
  const verify = (proof: string) => asEve.verifyKey({ body: { address, claim, proof } })
  const good = proofOf(await owner.signMessage({ message: textFor(address) }))
  proxy.calls.length = 0
  const results = await Promise.all(Array.from({ length: 20 }, () => verify(good)))
  expect(new Set(results.map(({ holds }) => holds))).toEqual(new Set([true]))
  expect(proxy.calls).toHaveLength(1)

  proxy.intercept(({ method }) =>
    method === 'eth_call' ? { error: { code: -32000, message: 'missing trie node' } } : undefined,
  )
  await expect(verify(proofOf(`0x${'00'.repeat(64)}01`))).rejects.toMatchObject({ code: 'bad_gateway' })
  proxy.intercept(() => undefined)
  const junk = Array.from({ length: 10 }, (_, n) => proofOf(`0x${'00'.repeat(64)}${10 + n}`))
  const refused = await Promise.allSettled(junk.map(verify))
  const limited = refused.filter(({ status }) => status === 'rejected')
  expect(limited.length).toBeGreaterThan(1)
  for (const one of limited) expect(one).toMatchObject({ reason: { code: 'rate_limited' } })
  // What is known costs nothing.
  expect((await verify(good)).holds).toBe(true)
})
