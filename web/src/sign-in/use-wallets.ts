import { useConnectors } from 'wagmi'
import { useInjected } from './injected.ts'
import { injectedId } from './wallets.ts'

interface Offer {
  /** The id of its connector. */
  id: string
  name: string
  icon?: string | undefined
}

/**
 * The wallets this browser has: those that announce themselves. The one at window.ethereum only where
 * none does, since one that announces itself is often there too.
 */
export function useWallets(): Offer[] {
  const connectors = useConnectors()
  const injected = useInjected()
  const announced = connectors.filter(({ id }) => id !== injectedId)
  if (announced.length > 0 || !injected) return announced
  return [{ id: injectedId, name: injected }]
}
