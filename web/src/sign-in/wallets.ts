// The wallets are those of the browser that announce themselves (EIP-6963), one that is only at window.ethereum, and
// one on another device. This file imports the wallet library and is loaded only when it is needed. Requests to a
// wallet are for its address, its chain and for signatures. The chain itself is read in two cases alone: whether an
// account on a chain that the service cannot ask is a contract, and whether a contract has signed the key of a peer.

import { createConfig, custom, injected } from 'wagmi'
import { connect, disconnect, getConnections, getConnectors, signMessage } from 'wagmi/actions'
import { mainnet } from 'wagmi/chains'
import type { EIP1193Provider } from 'viem'
import { cache, query } from '../service/api.ts'
import { isContractCode, unasked } from './asked-chain.ts'
import { signIn } from './sign-in.ts'
import { walletConnectId } from './use-wallets.ts'
import { walletConnect } from './walletconnect.ts'

const config = createConfig({
  chains: [mainnet],
  connectors: [injected(), walletConnect],
  multiInjectedProviderDiscovery: true,
  storage: null,
  transports: { [mainnet.id]: custom({ request: () => Promise.reject(new Error('No chain is read here')) }) },
})

/**
 * Requests the address and the signature of a wallet, and signs it in. A response of the wallet after the signal was
 * aborted is not used.
 */
export async function signInWithWallet(connectorId: string, signal: AbortSignal): Promise<void> {
  const { address, chainId } = await open(connectorId)
  signal.throwIfAborted()
  await requireAskedChain(connectorId, address, chainId)
  signal.throwIfAborted()
  await signIn({
    kind: 'wallet',
    connectorId,
    address,
    chainId,
    signMessage: async (message) => {
      const signature = await signMessage(config, { account: address, message })
      signal.throwIfAborted()
      return signature
    },
  })
}

/** Requests another signature from the wallet that signed in. */
export async function signWithWallet(
  connectorId: string | undefined,
  address: string,
  message: string,
): Promise<`0x${string}`> {
  const opened = pairedWith(connectorId) ?? (await open(connectorId)).address
  if (opened.toLowerCase() !== address)
    throw new Error('Your wallet shows another account. Choose the one you signed in with.')
  return signMessage(config, { account: opened, message })
}

/** Returns the account of a wallet on another device, which would have to be found again. */
const pairedWith = (connectorId: string | undefined) =>
  connectorId === walletConnectId
    ? getConnections(config).find(({ connector }) => connector.id === connectorId)?.accounts[0]
    : undefined

/** Sends a request that shows nothing to the person to the wallet that signed in, as EIP-1193 has it. */
export async function askWallet(
  connectorId: string | undefined,
  method: string,
  params: unknown[] = [],
): Promise<unknown> {
  const provider = (await connectorOf(connectorId)?.getProvider()) as EIP1193Provider | undefined
  if (!provider) throw new Error('This wallet is no longer in the browser.')
  return provider.request({ method, params } as never)
}

/** A wallet on another device agrees to sign, and to nothing else. */
export const readsChains = (connectorId: string | undefined): boolean => connectorId !== walletConnectId

const connectorOf = (connectorId: string | undefined) =>
  getConnectors(config).find(({ id }) => id === connectorId)

/** Refuses an account that is a contract on a chain that the service cannot ask, before it signs in vain. */
async function requireAskedChain(connectorId: string, address: string, chainId: number): Promise<void> {
  const { chains, host } = await cache.fetchQuery(query('getServiceInfo'))
  if (chains.includes(chainId)) return
  // A wallet that does not say it is asked to sign: a plain account may have any chain.
  const code = await askWallet(connectorId, 'eth_getCode', [address, 'latest']).catch(() => '0x')
  if (isContractCode(code)) throw new Error(unasked(host, chainId, chains))
}

async function open(connectorId: string | undefined): Promise<{ address: `0x${string}`; chainId: number }> {
  const connector = connectorOf(connectorId)
  if (!connector || !(await connector.getProvider()))
    throw new Error('This wallet is no longer in the browser.')
  await disconnect(config, { connector }).catch(() => {})
  const { accounts, chainId } = await connect(config, { connector })
  return { address: accounts[0], chainId }
}
