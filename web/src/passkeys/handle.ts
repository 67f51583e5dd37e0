import { type Bytes, randomBytes } from '@parley/sdk/bytes.ts'
import { bytesToHex, hexToBytes } from 'viem/utils'

/**
 * What a passkey is for. `account`: it opens the private key of a wallet, so it signs in; `messages`: it opens the
 * backup of encryption keys of a wallet that signs in by itself.
 */
export type Purpose = 'account' | 'messages'

const kinds: Purpose[] = ['account', 'messages']

/**
 * Returns what a passkey stores: its purpose in a byte, the wallet in 20, and 8 random ones, so that no passkey of a device
 * replaces another.
 */
export function handleOf(purpose: Purpose, address: string): Bytes {
  const wallet = hexToBytes(address as `0x${string}`)
  return new Uint8Array([kinds.indexOf(purpose) + 1, ...wallet, ...randomBytes(8)])
}

export function readHandle(handle: Bytes): { purpose: Purpose; address: string } | undefined {
  const purpose = kinds[(handle[0] ?? 0) - 1]
  return purpose && handle.length === 29 ? { purpose, address: bytesToHex(handle.slice(1, 21)) } : undefined
}
