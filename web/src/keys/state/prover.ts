// A wallet proves keys and statements in one of two ways: with its one signature, which is a secret and opens the backup as well, or,
// where it is a contract, with a signature of each statement, which is public.

import { isSolanaAddress } from '@parley/sdk/accounts.ts'
import { keyStatementText, writeContractProof } from '@parley/sdk/key-statement.ts'
import type { Account } from '../../service/session.ts'
import type { Secret } from '../crypto/backup.ts'
import { claimOf } from '../crypto/claim.ts'
import { loadProofs } from '../crypto/proofs.ts'
import { unlockText } from '../crypto/unlock-text.ts'
import { serviceHost } from './host.ts'
import { signAsCurrent } from './sign.ts'

export const unusable =
  'Encryption doesn’t work with this kind of wallet: others couldn’t verify its signature.'

/** A Ledger puts a text of Solana into an envelope before it signs it: what it signs is another text. */
const unusableOfSolana =
  'Encryption needs a wallet that signs a text as it is. Yours signed something else, as a Ledger does, so others couldn’t verify its signature.'

export interface Prover {
  /** Proves a key that the next statement, of this number, is going to be about. */
  proveKey: (key: string, next: number) => Promise<string>
  /** Proves the statement that encryption is on with a key, or off when the key is empty. */
  prove: (number: number, key: string) => Promise<string>
  /** Opens the backup; undefined for a contract, whose signatures differ and are public. */
  secret: Secret | undefined
}

/** Requests the one signature of the wallet that opens its backup and proves its keys. */
export async function askWallet(address: string): Promise<string> {
  // Some wallets open only right after a click, so the signature does not wait for what reads it.
  const [signature, { canonicalSignature }] = await Promise.all([
    signAsCurrent(unlockText(serviceHost, address)),
    loadProofs(address),
  ])
  try {
    return await canonicalSignature(signature, { host: serviceHost, address })
  } catch {
    throw new Error(isSolanaAddress(address) ? unusableOfSolana : unusable)
  }
}

/** Returns what proves for the signed-in wallet. A wallet with a key signs for it at once. */
export async function proverOf({ address, isContract, chainId }: Account): Promise<Prover> {
  if (isContract) return contractProver(address, chainId)
  const signature = await askWallet(address)
  const { proveKey } = await loadProofs(address)
  const host = serviceHost
  return {
    proveKey: (key) => proveKey({ host, address, key }, signature),
    prove: (number, key) => proveKey({ host, address, key: claimOf(number, key) }, signature),
    secret: { kind: 'signature', text: signature },
  }
}

function contractProver(address: string, chainId: number | undefined): Prover {
  if (chainId === undefined)
    throw new Error('Sign out and in again: then your smart wallet says where it is.')
  const made = new Map<string, string>()
  const prove = async (number: number, key: string) => {
    const claim = claimOf(number, key)
    const known = made.get(claim)
    if (known) return known
    const text = keyStatementText({ host: serviceHost, address, claim }, { chainId, number })
    const signature = await signAsCurrent(text!)
    const proof = writeContractProof({ chainId, number, signature: signature as `0x${string}` })
    made.set(claim, proof)
    return proof
  }
  return { proveKey: (key, next) => prove(next, key), prove, secret: undefined }
}
