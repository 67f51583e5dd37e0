// The number that two people compare to know that nobody is between them. docs/encryption.md
// specifies it.

import { toBytes } from './bytes.ts'

/** A wallet and the public key that is taken for its own. */
export interface Holder {
  address: string
  key: string
}

/** Twelve blocks of five digits, the same whoever of the two asks. */
export async function safetyNumber(host: string, one: Holder, other: Holder): Promise<string[]> {
  const sides = (one.address < other.address ? [one, other] : [other, one]).map(({ address, key }) => [
    address,
    key,
  ])
  const text = JSON.stringify(['parley-safety-1', host, ...sides])
  const hash = new DataView(await crypto.subtle.digest('SHA-512', toBytes(text)))
  return Array.from({ length: 12 }, (_, block) => {
    const value = hash.getUint8(5 * block) * 2 ** 32 + hash.getUint32(5 * block + 1)
    return String(value % 100_000).padStart(5, '0')
  })
}
