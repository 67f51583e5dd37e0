// A contract of the same address on two chains: whatever asks a chain about the chat of one asks the chain where it is at home.

import type { Client } from '@parley/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../testing/chain.ts'
import { type RpcProxy, startRpcProxy } from '../../testing/rpc-proxy.ts'
import { newWallet, type Service, startService } from '../../testing/service.ts'
import { readChainFacts } from '../src/features/trust/facts.ts'

let chains: [Chain, Chain]
let nodes: [RpcProxy, RpcProxy]
let rpcUrls: Record<string, string>
let service: Service
beforeAll(async () => {
  chains = await Promise.all([startChain(), startChain()])
  nodes = await Promise.all([startRpcProxy(chains[0].url), startRpcProxy(chains[1].url)])
  rpcUrls = { 1: nodes[0].url, 137: nodes[1].url }
  service = await startService({ rpcUrls })
})
afterAll(async () => {
  for (const one of [service, ...nodes, ...chains]) await one[Symbol.asyncDispose]()
})

const refused = (request: Promise<unknown>) =>
  request.then(
    () => 200,
    (error: { status: number }) => error.status,
  )

/** A collection on one or both chains, each with an owner who also holds a token. */
async function newCollection(on: readonly (0 | 1)[]) {
  const owners = [newWallet(), newWallet()] as const
  const hats = await chains[0].deploy('Tokens.sol', 'Hats', ['Hats'])
  const code = (await chains[0].client.getCode(hats))!
  const put = async (i: 0 | 1) => {
    const { client } = chains[i]
    await client.setCode({ address: hats.address, bytecode: code })
    for (const [functionName, args] of [
      ['mint', [owners[i], 1n]],
      ['transferOwnership', [owners[i]]],
    ] as const) {
      const hash = await client.writeContract({ ...hats, functionName, args })
      await client.waitForTransactionReceipt({ hash })
    }
  }
  if (!on.includes(0)) await chains[0].client.setCode({ address: hats.address, bytecode: '0x' })
  for (const i of on) await put(i)
  return { contract: hats.address, owners, put }
}

/** What a wallet gets of every endpoint that asks a chain about a contract. */
async function askAll(on: Service, client: Client, wallet: string, contract: string) {
  const at = { nftaddr: contract }
  const body = { fromaddr: wallet, nftaddr: contract, message: 'hello' }
  const { gate, db, config, log } = on.ctx
  await readChainFacts({ gate, db, config, log }, { walletaddr: wallet, about: [contract] })
  const [fact] = await db.query<{ facts: { holds: boolean } }>(
    'select facts from chain_facts where address = $1 and about = $2',
    [wallet, contract],
  )
  return {
    read: await refused(client.listGroupMessages({ address: contract, useraddress: wallet })),
    post: await refused(client.postGroupMessage({ body })),
    members: await refused(client.listMembers(at)),
    owns: (await client.checkOwnership({ contract, wallet })).length,
    fact: fact?.facts.holds,
    claim: await refused(client.claimChat(at)),
  }
}

const all = { read: 200, post: 200, members: 200, owns: 1, fact: true, claim: 200 }
const none = { read: 403, post: 403, members: 403, owns: 0, fact: false, claim: 403 }

test('a namesake on another chain opens nothing and takes nothing over', async () => {
  const { contract, owners } = await newCollection([0, 1])
  const [mine, theirs] = await Promise.all([service.as(owners[0]), service.as(owners[1])])
  expect(await askAll(service, theirs, owners[1], contract)).toEqual(none)
  expect(await askAll(service, mine, owners[0], contract)).toEqual(all)
  // The owner by owner() has the chat: the other one is told that theirs is another contract.
  expect(await askAll(service, theirs, owners[1], contract)).toEqual({ ...none, claim: 409 })
  expect((await mine.listModerators({ nftaddr: contract })).map(({ walletaddr }) => walletaddr)).toEqual([
    owners[0],
  ])
  const [nft] = await theirs.getNft({ nftaddr: contract, nftid: '1' })
  expect([nft!.chain, nft!.owner]).toEqual(['1', owners[0]])
})

test('a policy asks the chain that it names', async () => {
  const { contract, owners } = await newCollection([0, 1])
  for (const [i, chain] of [1, 137].entries()) {
    const to = newWallet()
    const client = await service.as(to)
    await client.setDmPolicy({ body: { who: 'holders', token: { chain, contract } } })
    const answers = await Promise.all(
      owners.map(async (from) =>
        refused(
          (await service.as(from)).sendDirectMessage({ body: { fromaddr: from, toaddr: to, message: 'hi' } }),
        ),
      ),
    )
    expect(answers.map((status) => status === 200)).toEqual([i === 0, i === 1])
  }
})

test('a home does not change: not by a namesake that appears later, nor for another instance', async () => {
  const { contract, owners, put } = await newCollection([1])
  const [later, first] = await Promise.all([service.as(owners[0]), service.as(owners[1])])
  expect(await askAll(service, first, owners[1], contract)).toEqual(all)
  await put(0)
  await using other = await startService({ beside: service, rpcUrls: { ...rpcUrls } })
  const [laterThere, firstThere] = await Promise.all([other.as(owners[0]), other.as(owners[1])])
  expect(await askAll(other, laterThere, owners[0], contract)).toEqual({ ...none, claim: 409 })
  expect(await askAll(other, firstThere, owners[1], contract)).toEqual(all)
  expect((await refused(later.claimChat({ nftaddr: contract }))) >= 400).toBe(true)

  // A home whose chain is no longer configured closes the chat; the other chain does not take its place.
  await using without = await startService({ beside: service, rpcUrls: { 1: rpcUrls['1']! } })
  const asOther = await without.as(owners[0])
  expect(await refused(asOther.listGroupMessages({ address: contract, useraddress: owners[0] }))).toBe(503)
  expect(await refused(asOther.claimChat({ nftaddr: contract }))).toBe(503)
})

test('while the node of the home does not answer nobody falls back to another chain', async () => {
  const { contract, owners } = await newCollection([0, 1])
  const theirs = await service.as(owners[1])
  nodes[0].intercept(() => ({ status: 500, body: '<html>' }))
  try {
    const answers = await Promise.all(
      [
        theirs.listGroupMessages({ address: contract, useraddress: owners[1] }),
        theirs.postGroupMessage({ body: { fromaddr: owners[1], nftaddr: contract, message: 'hello' } }),
        theirs.checkOwnership({ contract, wallet: owners[1] }),
        theirs.claimChat({ nftaddr: contract }),
        theirs.getNft({ nftaddr: contract, nftid: '1' }),
      ].map(refused),
    )
    expect(answers).toEqual([502, 502, 502, 502, 502])
  } finally {
    nodes[0].intercept(() => undefined)
  }
})
