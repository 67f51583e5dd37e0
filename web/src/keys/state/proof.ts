import { serviceHost } from './host.ts'
import type { SignedKey } from '../crypto/scheme.ts'

const proofs = new Map<string, Promise<boolean>>()

/** Returns true when a wallet has signed a key for this service. Each signature is verified once. */
export function isKeyOf(address: string, signed: SignedKey): Promise<boolean> {
  const id = `${address} ${signed.key} ${signed.sig}`
  const known =
    proofs.get(id) ??
    import('../crypto/key-proof.ts').then(({ hasSigned }) => hasSigned(serviceHost, address, signed))
  proofs.set(id, known)
  // The code that verifies may fail to load for a while.
  known.catch(() => proofs.delete(id))
  return known
}
