/**
 * Returns a signature as `0x` and digits in lower case, where it is written in another usual way: with white space around it,
 * with `0X`, or without either, as some wallets and tools print it. Without `0x` only what has the length of a plain account's
 * signature is accepted, 64 or 65 bytes: anything else may be in another alphabet, and stays as it is.
 */
export function plainHex(sig: string): string {
  const text = sig.trim()
  const [, prefix, digits = ''] = /^(0x)?([0-9a-f]*)$/i.exec(text) ?? []
  const isPlain = prefix !== undefined || digits.length === 128 || digits.length === 130
  return isPlain ? `0x${digits.toLowerCase()}` : text
}
