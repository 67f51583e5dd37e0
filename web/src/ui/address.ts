/**
 * An EVM address as its first and last digits, which people compare. Other addresses are cut when
 * they are long.
 */
export function shortAddress(address: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(address)) return `${address.slice(0, 6)}…${address.slice(-4)}`
  return address.length > 24 ? `${address.slice(0, 12)}…${address.slice(-6)}` : address
}

export const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

/**
 * Whether a text looks like an address of any chain: an EVM address, or 32 to 44 characters of base
 * 58.
 */
export const looksLikeAddress = (text: string): boolean =>
  isEvmAddress(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
