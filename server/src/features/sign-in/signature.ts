import { availableParallelism } from 'node:os'
import { fromString, type Hex } from 'ox/Hex'
import { getSignPayload } from 'ox/PersonalMessage'
import { Piscina } from 'piscina'
import { type Config, hasChains } from '../../config/settings.ts'
import { minute } from '../../lib/times.ts'
import { isEvmAddress } from '../../values/formats.ts'
import type { Signed } from './chain.ts'
import type * as recover from './recover.ts'

// Spec gap: where and how a signature is verified. First the signature is treated as one of a plain
// account: the signer is recovered on this machine, without a network. Only when that is not the
// wallet, and the text names a chain for which an RPC URL is configured, may the wallet be a
// contract: then the validator of EIP-6492 runs in one eth_call. It deploys a wallet that does not
// exist yet inside that call and asks it by EIP-1271; nothing on the chain changes. An empty signature
// is one too: some wallets keep the hashes that their owners have approved, and look at nothing else.

/**
 * Returns true when the wallet signed the text (EIP-191, EIP-1271, EIP-6492); a chain that does not answer is a 502.
 */
export async function verifySignature(config: Pick<Config, 'rpcUrls'>, signed: Signed): Promise<boolean> {
  const { address, text, signature, chainId } = signed
  if (!isEvmAddress(address) || !isBytes(signature)) return false
  const hash = getSignPayload(fromString(text))
  if (signature !== '0x' && (await recoverSigner({ hash, signature })) === address) return true
  if (chainId === undefined || !hasChains(config)) return false
  const { verifyBySmartWallet } = await import('../../chains/smart-wallet.ts')
  return verifyBySmartWallet(config, chainId, address, hash, signature)
}

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

const isBytes = (text: string): text is Hex => /^0x(?:[0-9a-fA-F]{2})*$/.test(text)

type Task = Parameters<typeof recover.recoverSigner>[0]
let workers: Piscina<Task, string | null> | undefined

/**
 * Recovers a signer in another thread: it is a third of the work of a sign-in, and many at once
 * would block other requests.
 */
function recoverSigner(signed: Task): Promise<string | null> {
  workers ??= new Piscina({
    filename: new URL('./recover.ts', import.meta.url).href,
    name: 'recoverSigner' satisfies keyof typeof recover,
    minThreads: 1,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: minute,
    concurrentTasksPerWorker: 8,
  })
  return workers.run(signed)
}
