// These are the wallets of a drill, the rooms they write in, and their clients: the SDK, signed in.

import { type Client, createClient, signInWith } from '@parley/sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { digestOf } from './random.ts'

/** A list of messages in one order: the conversation of two wallets, or a group chat. */
export type Room = { name: string; nftaddr: string } | { name: string; pair: readonly [string, string] }

export interface Wallets {
  addresses: string[]
  rooms: Room[]
  /** Returns the SDK of a wallet, for one of the service's addresses. */
  client(address: string, baseUrl: string): Client
  token(address: string): string
}

const walletCount = 8
const chatCount = 3

/** Signs all wallets in and lets them join the group chats. */
export async function signInWallets(seed: number, baseUrl: string): Promise<Wallets> {
  const accounts = Array.from({ length: walletCount }, (_, i) =>
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

  const collections = Array.from(
    { length: chatCount },
    (_, i) => `0x${digestOf(seed, `chat ${i}`).slice(0, 40)}`,
  )
  const enter = async (account: PrivateKeyAccount) => {
    const address = account.address.toLowerCase()
    const signMessage = (message: string) => account.signMessage({ message })
    tokens.set(address, (await signInWith({ baseUrl }, { address, signMessage })).token)
    for (const nftaddr of collections)
      await client(address, baseUrl).joinChat({ body: { walletaddr: address, nftaddr } })
  }
  for (const account of accounts) await patiently(() => enter(account))
  return { addresses, rooms: roomsOf(addresses, collections), client, token }
}

/** Retries for half a minute: a busy machine may return 503 before the drill has begun. */
async function patiently(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 30_000
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(500)
    }
}

function roomsOf(addresses: string[], collections: string[]): Room[] {
  const pairs = addresses.flatMap((a, i) => addresses.slice(i).map((b) => [a, b].toSorted()))
  return [
    ...pairs.map(([a, b]) => ({ name: `${a} ${b}`, pair: [a!, b!] as const })),
    ...collections.map((nftaddr) => ({ name: nftaddr, nftaddr })),
  ]
}
