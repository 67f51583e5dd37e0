import { looksLikeAddress } from '../ui/address.ts'

/** The wallet behind an address or a name; undefined when nobody has the name. */
export async function findPeer(text: string): Promise<string | undefined> {
  if (looksLikeAddress(text)) return /^0x/i.test(text) ? text.toLowerCase() : text
  return undefined
}
