// This script runs by itself before the first paint. What the page shows until the client has loaded depends on the
// theme chosen in this browser (state/theme.ts), on whether the browser has a wallet, and on whether one is signed in
// (service/session.ts). It imports nothing.

try {
  const { dataset } = document.documentElement
  const theme = localStorage.getItem('parley.theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (!hasWallet()) dataset.walletless = ''
  if (JSON.parse(localStorage.getItem('parley.accounts') ?? '{}')?.current) {
    dataset.account = ''
    preloadRooms()
  }
} catch {
  // The client says what is wrong with the storage.
}

/** What a wallet that is signed in sees loads beside the client, not after it (vite.config.ts names the files). */
function preloadRooms(): void {
  for (const href of document.currentScript?.dataset['rooms']?.split(' ') ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

/** Wallets that announce themselves (EIP-6963) respond at once; others are at window.ethereum. */
function hasWallet(): boolean {
  let found = 'ethereum' in globalThis
  addEventListener('eip6963:announceProvider', () => (found = true), { once: true })
  dispatchEvent(new Event('eip6963:requestProvider'))
  return found
}
