import { client } from '../service/api.ts'
import { isEvmAddress, looksLikeAddress } from '../ui/address.ts'

/** The wallet behind an address or a name; undefined when nobody has the name. */
export async function findPeer(text: string): Promise<string | undefined> {
  if (isEvmAddress(text)) return text.toLowerCase()
  const [found] = await client.getName({ name: text })
  return found?.address ?? (looksLikeAddress(text) ? text : undefined)
}
