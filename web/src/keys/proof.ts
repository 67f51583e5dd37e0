import { serviceHost } from './host.ts'
import type { SignedKey } from './scheme.ts'

const proofs = new Map<string, Promise<boolean>>()

/** Whether a wallet has signed a key for this service. Each signature is verified once. */
export function isKeyOf(address: string, signed: SignedKey): Promise<boolean> {
  const id = `${address} ${signed.key} ${signed.sig}`
  const known =
    proofs.get(id) ?? import('./verify.ts').then(({ hasSigned }) => hasSigned(serviceHost, address, signed))
  proofs.set(id, known)
  // The code that verifies may be out of reach for a while.
  known.catch(() => proofs.delete(id))
  return known
}
