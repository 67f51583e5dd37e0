// The wallets: those of the browser that announce themselves (EIP-6963), one that is only at
// window.ethereum, and one on another device. This file imports the wallet library and is loaded only when it is needed. A wallet
// is asked for its address and for signatures; no chain is read.

import { createConfig, custom, injected } from 'wagmi'
import { connect, disconnect, getConnections, getConnectors, signMessage } from 'wagmi/actions'
import { mainnet } from 'wagmi/chains'
import { signIn } from './sign-in.ts'
import { walletConnect, walletConnectId } from './walletconnect.ts'

/** The id of the connector to what is at window.ethereum. */
export const injectedId = 'injected'

export const config = createConfig({
  chains: [mainnet],
  connectors: [injected(), walletConnect],
  multiInjectedProviderDiscovery: true,
  storage: null,
  transports: { [mainnet.id]: custom({ request: () => Promise.reject(new Error('No chain is read here')) }) },
})

/**
 * Asks a wallet for its address and its signature, and signs it in. What a wallet answers after the
 * signal was aborted is not used.
 */
export async function signInWithWallet(connectorId: string, signal: AbortSignal): Promise<void> {
  const address = await open(connectorId)
  signal.throwIfAborted()
  await signIn({
    kind: 'wallet',
    connectorId,
    address,
    signMessage: async (message) => {
      const signature = await signMessage(config, { account: address, message })
      signal.throwIfAborted()
      return signature
    },
  })
}

/** Asks the wallet that signed in for another signature. */
export async function signWithWallet(
  connectorId: string | undefined,
  address: string,
  message: string,
): Promise<`0x${string}`> {
  const opened = pairedWith(connectorId) ?? (await open(connectorId))
  if (opened.toLowerCase() !== address)
    throw new Error('The wallet shows another account now. Choose the one you signed in with.')
  return signMessage(config, { account: opened, message })
}

/** The account of a wallet on another device, which would have to be found anew. */
const pairedWith = (connectorId: string | undefined) =>
  connectorId === walletConnectId
    ? getConnections(config).find(({ connector }) => connector.id === connectorId)?.accounts[0]
    : undefined

async function open(connectorId: string | undefined): Promise<`0x${string}`> {
  const connector = getConnectors(config).find(({ id }) => id === connectorId)
  if (!connector || !(await connector.getProvider()))
    throw new Error('This wallet is not in the browser any more.')
  await disconnect(config, { connector }).catch(() => {})
  const { accounts } = await connect(config, { connector })
  return accounts[0]
}
