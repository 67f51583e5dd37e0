// These links open a page in the browser of a wallet's app, as the makers of the wallets document them. No request is
// sent to those addresses before somebody taps one.

/** The page has no part after #, which may be a secret. */
type Page = Pick<Location, 'origin' | 'host' | 'pathname' | 'search'>

const encoded = ({ origin, pathname, search }: Page) => encodeURIComponent(origin + pathname + search)

export const walletApps: { name: string; link: (page: Page) => string }[] = [
  {
    // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks
    name: 'MetaMask',
    link: ({ host, pathname, search }) => `https://link.metamask.io/dapp/${host}${pathname}${search}`,
  },
  {
    // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration
    name: 'Coinbase Wallet',
    link: (page) => `https://go.cb-w.com/dapp?cb_url=${encoded(page)}`,
  },
  {
    // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking
    name: 'Trust Wallet',
    link: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded(page)}`,
  },
  {
    // src/handlers/deeplinks.ts in github.com/rainbow-me/rainbow
    name: 'Rainbow',
    link: (page) => `https://rnbwapp.com/dapp?url=${encoded(page)}`,
  },
]

/** The makers of wallets offer them for desktop browsers at these addresses. */
export const extensions = [
  { name: 'MetaMask', href: 'https://metamask.io/download' },
  { name: 'Rabby', href: 'https://rabby.io' },
  { name: 'Rainbow', href: 'https://rainbow.me/extension' },
]

/** Returns true on a phone or tablet, where wallets are apps. */
export function isPhone(): boolean {
  const { userAgent, maxTouchPoints, userAgentData } = navigator as Navigator & {
    userAgentData?: { mobile: boolean }
  }
  // An iPad says that it is a Mac, which has no touch screen.
  const isMobile =
    userAgentData?.mobile ||
    /Android|iPhone|iPad|iPod/.test(userAgent) ||
    (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return isMobile && matchMedia('(pointer: coarse)').matches
}
