// What the script on the site and the page in its frame say to each other, over one channel that nobody else has.

/** A wallet of the site's page, as the frame shows it. */
export interface WalletShown {
  id: string
  name: string
  icon: string
}

/** How the site wants the frame to look. */
export interface Looks {
  theme: string | null
  accent: string
  onAccent: string
  dir: string
}

/** Comes with the frame's end of the channel, once. */
export interface Hello {
  parley: 'hello'
  looks: Looks
}

/** What the script says. */
export type FromSite =
  | { wallets: WalletShown[] }
  | { shown: boolean }
  /** The answer to what the frame has asked, by its number. */
  | { answer: number; value?: unknown; refused?: string }

export interface Account {
  address: string
  chainId: number
}

/** What the frame asks: for the account of a wallet, and then for its signature below a text. */
export type Asked = { ask: 'connect'; wallet: string } | { ask: 'sign'; text: string }

/** What the frame says. */
export type FromFrame =
  | (Asked & { number: number })
  | { tell: 'ready' }
  | { tell: 'close' }
  | { tell: 'signed'; is: boolean }
  | { tell: 'unread'; count: number }
