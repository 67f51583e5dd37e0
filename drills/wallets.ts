// The wallets of a drill, the rooms they talk in, and their way to the service: the SDK, signed in.

import { type Client, createClient, signInWith } from '@parley/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import { digestOf } from './random.ts'

/** Where messages are in an order: a pair of wallets, or a group chat. */
export type Room = { name: string; nftaddr: string } | { name: string; pair: readonly [string, string] }

export interface World {
  addresses: string[]
  rooms: Room[]
  /** The SDK of a wallet, at one of the places where the service is. */
  client(address: string, baseUrl: string): Client
  token(address: string): string
}

const wallets = 8
const chats = 3

/** Signs all wallets in and lets them join the group chats. */
export async function createWorld(seed: number, baseUrl: string): Promise<World> {
  const accounts = Array.from({ length: wallets }, (_, i) =>
    privateKeyToAccount(`0x${digestOf(seed, `wallet ${i}`)}`),
  )
  const addresses = accounts.map(({ address }) => address.toLowerCase())
  const tokens = new Map<string, string>()
  const clients = new Map<string, Client>()
  const token = (address: string) => tokens.get(address)!
  const client = (address: string, url: string) => {
    const known = clients.get(`${address} ${url}`)
    if (known) return known
    const created = createClient({ baseUrl: url, token: token(address), retry: false })
    clients.set(`${address} ${url}`, created)
    return created
  }

  const collections = Array.from({ length: chats }, (_, i) => `0x${digestOf(seed, `chat ${i}`).slice(0, 40)}`)
  for (const account of accounts) {
    const address = account.address.toLowerCase()
    const signMessage = (message: string) => account.signMessage({ message })
    tokens.set(address, (await signInWith({ baseUrl }, { address, signMessage })).token)
    for (const nftaddr of collections)
      await client(address, baseUrl).joinChat({ body: { walletaddr: address, nftaddr } })
  }
  return { addresses, rooms: roomsOf(addresses, collections), client, token }
}

function roomsOf(addresses: string[], collections: string[]): Room[] {
  const pairs = addresses.flatMap((a, i) => addresses.slice(i).map((b) => [a, b].toSorted()))
  return [
    ...pairs.map(([a, b]) => ({ name: `${a} ${b}`, pair: [a!, b!] as const })),
    ...collections.map((nftaddr) => ({ name: nftaddr, nftaddr })),
  ]
}
