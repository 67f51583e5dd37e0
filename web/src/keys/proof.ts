import type { SignedKey } from './scheme.ts'

const proofs = new Map<string, Promise<boolean>>()

/** Whether a wallet has signed a key. Each signature is verified once. */
export function isKeyOf(address: string, signed: SignedKey): Promise<boolean> {
  const id = `${address} ${signed.key} ${signed.sig}`
  const known = proofs.get(id) ?? import('./verify.ts').then(({ hasSigned }) => hasSigned(address, signed))
  proofs.set(id, known)
  return known
}
