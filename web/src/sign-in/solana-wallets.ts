// Wallets of Solana announce themselves as the Wallet Standard says. What finds them, and signs with them, is loaded after the page.

import { useEffect } from 'react'
import { createStore, useStore } from '../state/store.ts'
import type { Offer } from './use-wallets.ts'

const offers = createStore<Offer[]>([])
let isWatching = false

/** The name of this file begins like that of what signs with other wallets: both come after the page. */
export const loadStandard = () => import('./wallets-standard.ts')

/** Returns the wallets of Solana in this browser. */
export function useSolanaWallets(): Offer[] {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isWatching) return
      isWatching = true
      loadStandard()
        .then(({ watchWallets }) => watchWallets(offers.set))
        // The next visit tries it again.
        .catch(() => (isWatching = false))
    }, 0)
    return () => clearTimeout(timer)
  }, [])
  return useStore(offers)
}
