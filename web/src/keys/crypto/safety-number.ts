// Two people compare this number to know that nobody is between them. docs/encryption.md specifies it.

import { toBytes } from './bytes.ts'

/** A holder is a wallet with the public key that is assumed to be its own. */
export interface Holder {
  address: string
  key: string
}

/** Returns twelve blocks of five digits, which are the same for both people. */
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
