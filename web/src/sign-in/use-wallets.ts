import { createStore } from 'mipd'
import { useSyncExternalStore } from 'react'
import { useInjected } from './injected.ts'

/** This is the id of the connector to the wallet at window.ethereum. */
const injectedId = 'injected'
/** This is the id of the connector to a wallet on another device. */
export const walletConnectId = 'walletConnect'

/** The wallets that announce themselves (EIP-6963). What signs with them is loaded when one is chosen (wallets.ts). */
const providers = createStore()
const subscribe = (listener: () => void) => providers.subscribe(listener)
const found = () => providers.getProviders()

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
  const announced = useSyncExternalStore(subscribe, found)
  const injected = useInjected()
  const offers = new Map(announced.map(({ info: { rdns, name, icon } }) => [rdns, { id: rdns, name, icon }]))
  if (offers.size > 0 || !injected) return [...offers.values()]
  return [{ id: injectedId, name: injected }]
}

const projectId = document.querySelector<HTMLMetaElement>('meta[name=walletconnect]')?.content

/** A wallet on another device, if the operator has chosen to offer that: the service writes it into the page. */
export const otherDevice: Offer | undefined = projectId
  ? { id: walletConnectId, name: 'another device (WalletConnect)' }
  : undefined
