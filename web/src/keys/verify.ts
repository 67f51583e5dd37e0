import { isHex } from 'viem'
import { recoverMessageAddress } from 'viem/utils'
import { isKeyProof } from './key-proof.ts'
import type { SignedKey } from './scheme.ts'
import { keyStatement } from './statements.ts'

/**
 * Whether a wallet has proven a key for the service at a host: by a proof of its signature
 * (key-proof.ts), or, as before, by a signature of the key. What smart wallets sign cannot be
 * verified without a chain and is not accepted.
 */
export async function hasSigned(host: string, address: string, { key, sig }: SignedKey): Promise<boolean> {
  try {
    if (!isHex(sig)) return await isKeyProof({ host, address, key }, sig)
    const signer = await recoverMessageAddress({ message: keyStatement(host, address, key), signature: sig })
    return signer.toLowerCase() === address
  } catch {
    return false
  }
}
