import { useConnectors } from 'wagmi'
import { useServiceInfo } from '../service/info.ts'
import { useInjected } from './injected.ts'
import { walletConnectId } from './walletconnect.ts'
import { injectedId } from './wallets.ts'

export interface Offer {
  /** This is the id of its connector. */
  id: string
  name: string
  icon?: string | undefined
}

/**
 * Returns the wallets of this browser that announce themselves. The one at window.ethereum is added only when none
 * does, since one that announces itself is often there too.
 */
export function useWallets(): Offer[] {
  const connectors = useConnectors()
  const injected = useInjected()
  const announced = connectors.filter(({ id }) => id !== injectedId && id !== walletConnectId)
  if (announced.length > 0 || !injected) return announced
  return [{ id: injectedId, name: injected }]
}

/** Returns a wallet on another device, if the operator has chosen to offer that. */
export function useOtherDevice(): Offer | undefined {
  const info = useServiceInfo()
  return info?.walletconnect ? { id: walletConnectId, name: 'another device (WalletConnect)' } : undefined
}
