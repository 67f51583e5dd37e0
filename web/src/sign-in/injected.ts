// A wallet that does not announce itself (EIP-6963) and only puts itself at window.ethereum, as older
// wallets and browsers of wallet apps do.

import { useSyncExternalStore } from 'react'

/** Milliseconds after the page has loaded in which a wallet may still appear. */
const patience = 10_000

/** The names of wallets by the flag they set. Several set isMetaMask as well, which comes last. */
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

/** What the wallet at window.ethereum calls itself; undefined when there is none. */
function nameOfInjected(): string | undefined {
  const { ethereum } = globalThis as { ethereum?: Provider }
  if (typeof ethereum?.request !== 'function') return undefined
  return names.find(([flag]) => ethereum[flag] === true)?.[1] ?? 'Browser wallet'
}

function subscribe(listener: () => void): () => void {
  addEventListener('ethereum#initialized', listener)
  // Not each wallet tells that it has come.
  const looking = setInterval(listener, 250)
  const tired = setTimeout(() => clearInterval(looking), patience)
  return () => {
    removeEventListener('ethereum#initialized', listener)
    clearInterval(looking)
    clearTimeout(tired)
  }
}

/** The name of the wallet at window.ethereum, also when it comes late; undefined while there is none. */
export const useInjected = (): string | undefined => useSyncExternalStore(subscribe, nameOfInjected)
