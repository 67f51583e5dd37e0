import { isSolanaAddress } from '@parley/sdk/accounts.ts'
import { isContractProof } from '@parley/sdk/key-statement.ts'
import { loadProofs } from '../crypto/proofs.ts'
import { CannotOpen, type Sealed, type SignedKey } from '../crypto/scheme.ts'
import { serviceHost } from './host.ts'

const proofs = new Map<string, Promise<boolean>>()
/** Of these the service alone says that a contract has signed them. */
const vouched = new Set<string>()

const idOf = (address: string, { key, sig }: SignedKey) => `${address} ${key} ${sig}`

/** Nobody could ask the contract whether it has signed a key: the chain, or the service, does not answer. */
export class Unchecked extends CannotOpen {
  constructor(cause: unknown) {
    super(
      'the smart wallet’s chain didn’t answer whether the sender’s key is theirs. Reload the page to try again.',
    )
    this.cause = cause
  }
}

/**
 * Returns true when a wallet has signed a key for this service. Each signature is verified once. Throws where a contract has to be
 * asked and nobody can.
 */
export function isKeyOf(address: string, signed: SignedKey): Promise<boolean> {
  const id = idOf(address, signed)
  const known = proofs.get(id) ?? check(address, signed)
  proofs.set(id, known)
  // The code that verifies may fail to load for a while, and a chain to answer.
  known.catch(() => proofs.delete(id))
  return known
}

async function check(address: string, signed: SignedKey): Promise<boolean> {
  // An address of Solana is a key: no contract speaks for it, whatever the service says.
  if (!isContractProof(signed.sig) || isSolanaAddress(address)) {
    const { hasSigned } = await loadProofs(address)
    return hasSigned(serviceHost, address, signed)
  }
  const { confirmedBy } = await import('./confirm.ts')
  const by = await confirmedBy(serviceHost, address, signed).catch((error: unknown) => {
    throw new Unchecked(error)
  })
  if (by === 'service') vouched.add(idOf(address, signed))
  return by !== undefined
}

/** Returns true for an opened message whose sender's proof was taken so. */
export function isVouchedSender({ fromaddr, encrypted_sym_x_key = '' }: Sealed): boolean {
  if (vouched.size === 0) return false
  const { from } = JSON.parse(encrypted_sym_x_key) as { from: SignedKey }
  return isVouched(fromaddr, from)
}

/** Returns true for a proof that `isKeyOf` has taken on the word of the service: nothing here has checked it. */
export const isVouched = (address: string, signed: SignedKey): boolean => vouched.has(idOf(address, signed))
