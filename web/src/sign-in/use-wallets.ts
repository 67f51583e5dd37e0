import { useConnectors } from 'wagmi'
import { useServiceInfo } from '../service/info.ts'
import { useInjected } from './injected.ts'
import { walletConnectId } from './walletconnect.ts'
import { injectedId } from './wallets.ts'

/** A wallet to sign in with. */
export interface Offer {
  /** The id of its connector. */
  id: string
  name: string
  icon?: string | undefined
}

/**
 * The wallets of this browser: those that announce themselves. The one at window.ethereum only where
 * none does, since one that announces itself is often there too.
 */
export function useWallets(): Offer[] {
  const connectors = useConnectors()
  const injected = useInjected()
  const announced = connectors.filter(({ id }) => id !== injectedId && id !== walletConnectId)
  if (announced.length > 0 || !injected) return announced
  return [{ id: injectedId, name: injected }]
}

/** A wallet on another device, where the operator has chosen to offer that. */
export function useOtherDevice(): Offer | undefined {
  const info = useServiceInfo()
  return info?.walletconnect ? { id: walletConnectId, name: 'another device (WalletConnect)' } : undefined
}
