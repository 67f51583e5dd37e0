import { isEvmAddress } from './formats.ts'

/**
 * Returns an EVM address as its first and last digits, which people compare. Other addresses are cut when they are long. The
 * client shows them in the same way (web/src/seal/address.ts).
 */
export function shortAddress(address: string): string {
  if (isEvmAddress(address)) return `${address.slice(0, 6)}…${address.slice(-4)}`
  return address.length > 24 ? `${address.slice(0, 12)}…${address.slice(-6)}` : address
}
