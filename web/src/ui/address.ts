/** An address short enough to read: the ends people compare. Anything else is shown as it is, cut when long. */
export function shortAddress(address: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(address)) return `${address.slice(0, 6)}…${address.slice(-4)}`
  return address.length > 24 ? `${address.slice(0, 12)}…${address.slice(-6)}` : address
}

export const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

/** Whether a text can be an address of any chain: one word, printable, long enough not to be a name. */
export const looksLikeAddress = (text: string): boolean =>
  isEvmAddress(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
