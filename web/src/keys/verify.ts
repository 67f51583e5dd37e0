import { isHex } from 'viem'
import { recoverMessageAddress } from 'viem/utils'
import { keyStatement } from './backup.ts'
import type { SignedKey } from './scheme.ts'

/**
 * Whether a wallet has signed a key for the service at a host. Signatures of smart wallets cannot be verified without a chain
 * and are not accepted.
 */
export async function hasSigned(host: string, address: string, { key, sig }: SignedKey): Promise<boolean> {
  try {
    if (!isHex(sig)) return false
    const signer = await recoverMessageAddress({ message: keyStatement(host, address, key), signature: sig })
    return signer.toLowerCase() === address
  } catch {
    return false
  }
}
