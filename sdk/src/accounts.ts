// The kinds of accounts that sign in by a text, by the shape of their addresses. The service, the SDK, the client and a small script
// on other sites use the same file, so it imports nothing.

export const isEvmAddress = (text: string): text is `0x${string}` => /^0x[\da-f]{40}$/i.test(text)

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const shape = new RegExp(`^[${digits}]{32,44}$`)

/** Returns true for 32 bytes in base58. Shorter and longer ones are addresses of other chains. */
export function isSolanaAddress(text: string): boolean {
  if (!shape.test(text)) return false
  let number = 0n
  for (const digit of text) number = number * 58n + BigInt(digits.indexOf(digit))
  // Each leading 1 is a zero byte.
  const zeros = text.search(/[^1]|$/)
  return zeros + (number === 0n ? 0 : Math.ceil(number.toString(16).length / 2)) === 32
}

/** How a text to sign in names an account. */
export interface Account {
  /** The heading says "…wants you to sign in with your <name> account:". */
  name: string
  isAddress: (text: string) => boolean
  /** What the text says as its chain; undefined where the wallet's own chain counts. */
  chain?: string
}

const ethereum: Account = { name: 'Ethereum', isAddress: isEvmAddress }
/** A key of Solana is the same on all of its networks, so the text always names one. */
const solana: Account = { name: 'Solana', isAddress: isSolanaAddress, chain: 'mainnet' }

/** Returns the kind of account of an address; undefined for other chains. */
export const accountOf = (address: string): Account | undefined =>
  [ethereum, solana].find(({ isAddress }) => isAddress(address))

/** Returns the form in which addresses compare: those of Ethereum in lower case, all others as they are. */
export const canonicalAddress = (address: string): string =>
  isEvmAddress(address) ? address.toLowerCase() : address
