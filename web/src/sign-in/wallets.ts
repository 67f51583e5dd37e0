// The wallets are those of the browser that announce themselves (EIP-6963), one that is only at window.ethereum, and
// one on another device. This file imports the wallet library and is loaded only when it is needed. Requests to a
// wallet are for its address and for signatures; no chain is read.

import { createConfig, custom, injected } from 'wagmi'
import { connect, disconnect, getConnections, getConnectors, signMessage } from 'wagmi/actions'
import { mainnet } from 'wagmi/chains'
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

/** Requests another signature from the wallet that signed in. */
export async function signWithWallet(
  connectorId: string | undefined,
  address: string,
  message: string,
): Promise<`0x${string}`> {
  const opened = pairedWith(connectorId) ?? (await open(connectorId))
  if (opened.toLowerCase() !== address)
    throw new Error('Your wallet shows another account. Choose the one you signed in with.')
  return signMessage(config, { account: opened, message })
}

/** Returns the account of a wallet on another device, which would have to be found again. */
const pairedWith = (connectorId: string | undefined) =>
  connectorId === walletConnectId
    ? getConnections(config).find(({ connector }) => connector.id === connectorId)?.accounts[0]
    : undefined

async function open(connectorId: string | undefined): Promise<`0x${string}`> {
  const connector = getConnectors(config).find(({ id }) => id === connectorId)
  if (!connector || !(await connector.getProvider()))
    throw new Error('This wallet is no longer in the browser.')
  await disconnect(config, { connector }).catch(() => {})
  const { accounts } = await connect(config, { connector })
  return accounts[0]
}
