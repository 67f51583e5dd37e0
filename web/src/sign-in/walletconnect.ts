// A wallet on another device connects by WalletConnect: both meet at its relay, which passes on what they have
// encrypted for each other. This happens only when the operator has set a project id and somebody chooses it. wagmi's
// own connector needs packages of 426 MB for its dialog; this is the library below it.

import type SignClient from '@walletconnect/sign-client'
import { createConnector } from 'wagmi'
import { cache, query } from '../service/api.ts'
import { pairing } from './pairing.ts'
import { walletConnectId } from './use-wallets.ts'

/** Nothing is paid or read on it. */
const ethereum = 1

interface Session {
  topic: string
  accounts: `0x${string}`[]
  /** The chain of the first account, on which a smart wallet is. */
  chainId: number
}

let starting: Promise<SignClient> | undefined
/** The session lasts for as long as the page is open. */
let session: Session | undefined

const provider = {
  async request({ method, params }: { method: string; params?: unknown }) {
    if (!session) throw new Error('The other device ended the connection.')
    const { topic, chainId } = session
    return (await started()).request({ topic, chainId: `eip155:${chainId}`, request: { method, params } })
  },
}

export const walletConnect = createConnector((config) => ({
  id: walletConnectId,
  type: walletConnectId,
  name: 'Another device',
  async connect() {
    session = await pair()
    const ended = ({ topic }: { topic: string }) => {
      if (topic !== session?.topic) return
      session = undefined
      config.emitter.emit('disconnect')
    }
    const client = await started()
    client.on('session_delete', ended)
    client.on('session_expire', ended)
    // The type depends on a parameter that nobody here sets.
    return { accounts: session.accounts as never, chainId: session.chainId }
  },
  async disconnect() {
    const { topic } = session ?? {}
    session = undefined
    const reason = { code: 6000, message: 'User disconnected.' }
    if (topic) await (await started()).disconnect({ topic, reason })
  },
  getAccounts: async () => session?.accounts ?? [],
  getChainId: async () => session?.chainId ?? ethereum,
  getProvider: async () => provider,
  isAuthorized: async () => session !== undefined,
  onAccountsChanged() {},
  onChainChanged() {},
  onDisconnect() {
    config.emitter.emit('disconnect')
  },
}))

function started(): Promise<SignClient> {
  starting ??= start()
  // A failed start is tried again.
  starting.catch(() => (starting = undefined))
  return starting
}

async function start(): Promise<SignClient> {
  const [{ SignClient: Client }, { walletconnect }] = await Promise.all([
    import('@walletconnect/sign-client'),
    cache.fetchQuery(query('getServiceInfo')),
  ])
  if (!walletconnect) throw new Error('You can’t use a wallet on another device here.')
  const client = await Client.init({
    projectId: walletconnect,
    metadata: { name: 'Parley', description: document.title, url: location.origin, icons: [] },
    storage: inMemory(),
    telemetryEnabled: false,
    logger: 'silent',
  })
  // It would load a page of WalletConnect into this one, to confirm the address of this one.
  client.core.verify.register = async () => ''
  return client
}

/** Shows the code, and waits until a wallet has read it and agreed. */
async function pair(): Promise<Session> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error('No wallet was connected. Nothing was signed.'))
  pairing.set({ giveUp })
  const meet = async () => {
    const [client, offered] = await Promise.all([started(), offeredChains()])
    const chains = offered.map((id) => `eip155:${id}`)
    const { uri, approval } = await client.connect({
      optionalNamespaces: { eip155: { methods: ['personal_sign'], chains, events: [] } },
    })
    if (uri && pairing.get()?.giveUp === giveUp) pairing.set({ uri, giveUp })
    return approval()
  }
  try {
    const { topic, namespaces } = await Promise.race([meet(), givenUp])
    return { topic, ...readAccounts(namespaces.eip155?.accounts ?? [], await offeredChains()) }
  } finally {
    if (pairing.get()?.giveUp === giveUp) pairing.set(null)
  }
}

/** The service can ask these chains what a smart wallet has signed. A wallet needs none for a plain account, and shows one. */
async function offeredChains(): Promise<number[]> {
  const { chains } = await cache.fetchQuery(query('getServiceInfo'))
  return [...new Set([...chains, ethereum])]
}

/**
 * Returns the accounts on one chain: the first of the offered ones on which the wallet has an account. A smart wallet has one on
 * its own chains alone.
 */
function readAccounts(accounts: string[], offered: number[]): Pick<Session, 'accounts' | 'chainId'> {
  const all = accounts.map((account) => account.split(':'))
  const chainId = offered.find((id) => all.some(([, chain]) => chain === `${id}`)) ?? ethereum
  const on = all.filter(([, chain]) => chain === `${chainId}`)
  return { accounts: (on.length > 0 ? on : all).map(([, , address]) => address as `0x${string}`), chainId }
}

/** The data that the library stores, keys included, is gone with the page. */
function inMemory() {
  const items = new Map<string, unknown>()
  return {
    getKeys: async () => [...items.keys()],
    getEntries: async <T>() => [...items] as [string, T][],
    getItem: async <T>(key: string) => items.get(key) as T | undefined,
    setItem: async (key: string, value: unknown) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
  }
}
