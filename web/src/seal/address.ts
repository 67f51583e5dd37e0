/**
 * Returns an EVM address as its first and last digits, which people compare. Other addresses are cut when they are
 * long.
 */
export function shortAddress(address: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(address)) return `${address.slice(0, 6)}…${address.slice(-4)}`
  return address.length > 24 ? `${address.slice(0, 12)}…${address.slice(-6)}` : address
}

/** Returns the form in which addresses compare: those of Ethereum in lower case, all others as they are. */
export const canonicalAddress = (address: string): string =>
  isEvmAddress(address) ? address.toLowerCase() : address

export const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

/**
 * Returns true when a text has the form of an address of any chain: an EVM address, or 26 or more letters and digits
 * without a break. No name has that form.
 */
export const looksLikeAddress = (text: string): boolean =>
  isEvmAddress(text) || (/^[a-z0-9]{26,128}$/i.test(text) && /\d/.test(text))

/**
 * Returns true when two addresses are different, but have the same first and last four digits, which people compare.
 * Such addresses are made on purpose, to be mistaken for each other.
 */
export const looksAlike = (one: string, other: string): boolean => {
  const [a, b] = [canonicalAddress(one), canonicalAddress(other)]
  return a !== b && looksLikeAddress(a) && looksLikeAddress(b) && ends(a) === ends(b)
}

/** Letters of other chains have a case, which people do not compare. */
const ends = (address: string): string => {
  const beginning = isEvmAddress(address) ? address.slice(0, 6) : address.slice(0, 4)
  return `${beginning}…${address.slice(-4)}`.toLowerCase()
}
