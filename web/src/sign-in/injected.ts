// A wallet that does not announce itself (EIP-6963) is only at window.ethereum, as older wallets and browsers of wallet
// apps are.

import { useSyncExternalStore } from 'react'

/** A wallet may still appear within these milliseconds after the page has loaded. */
const patience = 10_000

/** A wallet has its name by the flag it sets. Several set isMetaMask as well, which comes last. */
const names = Object.entries({
  isBraveWallet: 'Brave Wallet',
  isCoinbaseWallet: 'Coinbase Wallet',
  isFrame: 'Frame',
  isImToken: 'imToken',
  isOkxWallet: 'OKX Wallet',
  isPhantom: 'Phantom',
  isRabby: 'Rabby Wallet',
  isRainbow: 'Rainbow',
  isTokenPocket: 'TokenPocket',
  isTrust: 'Trust Wallet',
  isTrustWallet: 'Trust Wallet',
  isMetaMask: 'MetaMask',
})

type Provider = Record<string, unknown>

/** Returns the name of the wallet at window.ethereum; undefined when there is none. */
function nameOfInjected(): string | undefined {
  const { ethereum } = globalThis as { ethereum?: Provider }
  if (typeof ethereum?.request !== 'function') return undefined
  return names.find(([flag]) => ethereum[flag] === true)?.[1] ?? 'Browser wallet'
}

function subscribe(listener: () => void): () => void {
  addEventListener('ethereum#initialized', listener)
  // Not every wallet announces that it has come.
  const looking = setInterval(listener, 250)
  const tired = setTimeout(() => clearInterval(looking), patience)
  return () => {
    removeEventListener('ethereum#initialized', listener)
    clearInterval(looking)
    clearTimeout(tired)
  }
}

/** Returns the name of the wallet at window.ethereum, also when it comes late; undefined while there is none. */
export const useInjected = (): string | undefined => useSyncExternalStore(subscribe, nameOfInjected)
