// A contract of the same address on two chains: whatever asks a chain about the chat of one asks the chain where it is at home.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../testing/chains/chain.ts'
import { asked, requestsAbout } from '../../testing/cases/gate-calls.ts'
import type { EndpointName } from '../../testing/cases/published.ts'
import { type RpcProxy, startRpcProxy } from '../../testing/service/proxies.ts'
import { newToken, newWallet, type Service, startService, useService } from '../../testing/service/service.ts'
import { readChainFacts } from '../src/features/trust/facts.ts'

let chains: [Chain, Chain]
let nodes: [RpcProxy, RpcProxy]
let rpcUrls: Record<string, string>
beforeAll(async () => {
  chains = await Promise.all([startChain(), startChain()])
  nodes = await Promise.all([startRpcProxy(chains[0].url), startRpcProxy(chains[1].url)])
  rpcUrls = { 1: nodes[0].url, 137: nodes[1].url }
})
afterAll(async () => {
  for (const one of [...nodes, ...chains]) await one[Symbol.asyncDispose]()
})
const service = useService(() => ({ rpcUrls }))

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
    await chains[i].client.setCode({ address: hats.address, bytecode: code })
    await chains[i].write(hats, 'mint', [owners[i], 1n])
    await chains[i].write(hats, 'transferOwnership', [owners[i]])
  }
  if (!on.includes(0)) await chains[0].client.setCode({ address: hats.address, bytecode: '0x' })
  for (const i of on) await put(i)
  return { contract: hats.address, owners, put }
}

type Collection = Awaited<ReturnType<typeof newCollection>>

/** A text without what no two collections share. */
const plain = (text: string, { contract, owners }: Collection, wallet: string) =>
  text
    .replaceAll(contract.toLowerCase(), 'CONTRACT')
    .replaceAll(wallet, 'WALLET')
    .replaceAll(owners[0], 'OWNER')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"(id|request_id|nonce|Nonce)":"?[\w-]+"?/g, '"$1":"ID"')
    .replaceAll(/prh_[\w-]+/g, 'SECRET')

/** A claim is made last, because it changes what others answer; a nonce is about a sign-in. */
const besides = new Set<EndpointName>(['claimChat', 'getNonce'])

/** The answers to a wallet of every endpoint of the contract that may name a collection. */
async function askAll(on: Service, wallet: string, collection: Collection) {
  const { contract } = collection
  const headers = { authorization: `Bearer ${await newToken(on.ctx, wallet)}` }
  const answers: string[] = []
  for (const name of asked.filter((one) => !besides.has(one)))
    for (const request of requestsAbout(name, contract, wallet, ofCollection[name])) {
      if (!JSON.stringify(request).includes(contract)) continue
      const { statusCode, body } = await on.app.inject({ ...request, headers })
      answers.push(`${name}: ${statusCode} ${plain(body, collection, wallet)}`)
    }
  return [...answers, `facts: ${await readFact(on, wallet, contract)}`, await claim(on, wallet, contract)]
}

/** Of the token that its owner holds. */
const ofCollection: Partial<Record<EndpointName, Record<string, unknown>>> = {
  checkOwnership: {},
  getNft: {},
  getNftOwner: {},
}

async function readFact({ ctx: { gate, db, config, log } }: Service, wallet: string, contract: string) {
  await readChainFacts({ gate, db, config, log }, { peer: wallet, about: [contract] })
  const [fact] = await db.query<{ facts: { holds: boolean } }>(
    'select facts from chain_facts where address = $1 and about = $2',
    [wallet, contract],
  )
  return fact?.facts.holds
}

const claim = async (on: Service, wallet: string, nftaddr: string) =>
  `claim: ${await refused((await on.as(wallet)).claimChat({ nftaddr }))}`

test('a namesake on another chain opens nothing and takes nothing over, at any endpoint', async () => {
  const [both, again, third, alone] = [
    await newCollection([0, 1]),
    await newCollection([0, 1]),
    await newCollection([0, 1]),
    await newCollection([0]),
  ]
  const strangers = await askAll(service, newWallet(), third)
  expect(strangers.slice(-2)).toEqual(['facts: false', 'claim: 403'])
  expect(await askAll(service, both.owners[1], both)).toEqual(strangers)
  const owned = await askAll(service, alone.owners[0], alone)
  expect(owned.slice(-2)).toEqual(['facts: true', 'claim: 200'])
  expect(owned).not.toEqual(strangers)
  expect(await askAll(service, again.owners[0], again)).toEqual(owned)
  // The owner by owner() has the chat: the other one reads that theirs is another contract.
  expect(await claim(service, again.owners[1], again.contract)).toBe('claim: 409')
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

const without = useService(() => ({ beside: service, rpcUrls: { 1: rpcUrls['1']! } }))

test('a home does not change: not by a namesake that appears later, nor for another instance', async () => {
  const collection = await newCollection([1])
  const { contract, owners, put } = collection
  const first = await askAll(service, owners[1], collection)
  expect(first.slice(-2)).toEqual(['facts: true', 'claim: 200'])
  await put(0)
  await using other = await startService({ beside: service, rpcUrls: { ...rpcUrls } })
  const reads = async (wallet: string) =>
    refused((await other.as(wallet)).listGroupMessages({ address: contract, useraddress: wallet }))
  for (const [i, status] of [403, 200].entries()) {
    expect([await reads(owners[i]!), await readFact(other, owners[i]!, contract)]).toEqual([status, i === 1])
    expect(await claim(other, owners[i]!, contract)).toBe(`claim: ${i === 1 ? 200 : 409}`)
  }
  expect(await claim(service, owners[0], contract)).toBe('claim: 409')

  // A home whose chain is no longer configured closes the chat; the other chain does not take its place.
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
