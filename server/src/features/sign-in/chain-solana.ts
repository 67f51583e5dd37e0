// Solana: texts of CAIP-122 as the Wallet Standard writes them, signatures of Ed25519. An address is the public key.

import { base58, base64, hex } from '@scure/base'
import { isSolanaAddress } from '@parley/sdk/accounts.ts'
import type { Chain } from './chain.ts'
import { isSignature } from './ed25519.ts'
import { envelopesOf } from './solana-envelopes.ts'
import { readerOf } from './siwe.ts'

export const solana: Chain = {
  isAddress: isSolanaAddress,
  written: (address) => address,
  parse: readerOf({
    account: 'Solana',
    address: '[1-9A-HJ-NP-Za-km-z]{32,44}',
    // A key is the same on all networks of Solana, so any may stand there.
    chain: '[A-Za-z0-9]+(?::[A-Za-z0-9]+)?',
    // Wallets leave out the empty line where there is no statement.
    gaps: ['\\n\\n', '\\n'],
  }),
  async verify(_config, { address, text, signature }) {
    const bytes = readSignature(signature)
    if (!bytes) return false
    const key = base58.decode(address)
    for (const signed of envelopesOf(text, key)) if (await isSignature(bytes, signed, key)) return true
    return false
  },
}

/**
 * Reads the 64 bytes of a signature: 128 hexadecimal digits, also behind 0x; base64 with its two = at the end; else base58.
 */
function readSignature(text: string): Uint8Array | undefined {
  const plain = text.trim()
  // The first step keeps long texts away: base58 takes time with the square of the length.
  if (plain.length > 130) return undefined
  const [, digits] = /^(?:0x)?([0-9a-f]{128})$/i.exec(plain) ?? []
  try {
    const bytes = digits
      ? hex.decode(digits.toLowerCase())
      : (plain.endsWith('=') ? base64 : base58).decode(plain)
    return bytes.length === 64 ? bytes : undefined
  } catch {
    return undefined
  }
}
