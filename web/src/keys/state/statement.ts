// A wallet states that its encryption is on with a key, or off. The wallet proves each statement, and its number grows,
// so a service can neither invent one nor go back to an earlier one unnoticed by anybody who has seen the later.

import type { PublishedKey } from '@parley/sdk'
import { claimOf } from '../crypto/claim.ts'
import { isKeyOf, isVouched } from './proof.ts'

/** Returns a statement as it is published: its number and its proof. */
export const signatureOf = (count: number, proof: string): string => `${count}.${proof}`

function parse(signature: string): { count: number; sig: string } {
  const [, count, sig] = /^([1-9]\d{0,8})\.(parley-[a-z]+-\d\..+)$/.exec(signature) ?? []
  return count && sig ? { count: Number(count), sig } : { count: 0, sig: signature }
}

/** Returns true for a statement that `provenCount` has taken on the word of the service. */
export function isVouchedStatement(
  address: string,
  { public_key, signature }: Pick<PublishedKey, 'public_key' | 'signature'>,
): boolean {
  const { count, sig } = parse(signature)
  return isVouched(address, { key: claimOf(count, public_key), sig })
}

/**
 * Returns the number of a statement that the wallet has proven: 0 for a key that is proven without one. Undefined when
 * nothing is proven, as for an empty key without a statement.
 */
export async function provenCount(
  address: string,
  { public_key, signature }: Pick<PublishedKey, 'public_key' | 'signature'>,
): Promise<number | undefined> {
  const { count, sig } = parse(signature)
  if (count === 0 && public_key === '') return undefined
  return (await isKeyOf(address, { key: claimOf(count, public_key), sig })) ? count : undefined
}
