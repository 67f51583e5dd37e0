import { keccak256 } from 'ox/Hash'
import { fromString, type Hex, toBytes } from 'ox/Hex'
import { getSignPayload } from 'ox/PersonalMessage'
import { recover } from 'tiny-secp256k1'
import { type Config, hasChains } from '../core/config.ts'
import { isEvmAddress } from '../core/values.ts'

// Spec gap: where and how a signature is verified.
// A signature is first taken for one of a plain account: the signer is recovered right here, without a network.
// Only when that is not the wallet, and the text names a chain for which an RPC URL is configured, may the wallet be
// a contract: then the validator of EIP-6492 runs in one eth_call. It deploys a wallet that does not exist yet
// inside that call and asks it by EIP-1271; nothing on the chain changes.

interface Signed {
  /** The canonical address of the wallet. */
  address: string
  text: string
  signature: string
  /** The chain named by an EIP-4361 text; without one, only a plain account can have signed. */
  chainId: number | undefined
}

/** Tells whether the wallet signed the text (EIP-191, EIP-1271, EIP-6492); a chain that cannot be asked is a 502. */
export async function verifySignature(config: Pick<Config, 'rpcUrls'>, signed: Signed): Promise<boolean> {
  const { address, text, signature, chainId } = signed
  // Spec gap: wallets of other chains cannot sign in.
  if (!isEvmAddress(address) || !isBytes(signature)) return false
  const hash = getSignPayload(fromString(text))
  if (recoverSigner(hash, signature) === address) return true
  if (chainId === undefined || !hasChains(config)) return false
  const { verifyBySmartWallet } = await import('./smart-wallet.ts')
  return verifyBySmartWallet(config, chainId, address, hash, signature)
}

const isBytes = (text: string): text is Hex => /^0x(?:[0-9a-fA-F]{2})+$/.test(text)

/**
 * Recovers who signed a hash with 65 bytes, or 64 by EIP-2098; null when these are no such signature. The curve is
 * libsecp256k1 in WebAssembly, several times as fast as one in JavaScript.
 */
function recoverSigner(hash: Hex, signature: Hex): string | null {
  const bytes = toBytes(signature)
  const rs = Uint8Array.from(bytes.subarray(0, 64))
  const parity =
    bytes.length === 65
      ? recoveryParity(bytes[64]!)
      : bytes.length === 64
        ? ((rs[32]! >> 7) as 0 | 1)
        : undefined
  if (parity === undefined) return null
  // EIP-2098 keeps the parity in the highest bit of s.
  if (bytes.length === 64) rs[32]! &= 0x7f
  try {
    const key = recover(toBytes(hash), rs, parity, false)
    return key && `0x${keccak256(key.subarray(1), { as: 'Hex' }).slice(-40)}`
  } catch {
    // r or s out of range, or a point that is not on the curve.
    return null
  }
}

const recoveryParity = (v: number): 0 | 1 | undefined =>
  v === 27 || v === 0 ? 0 : v === 28 || v === 1 ? 1 : undefined
