import { isHex } from 'viem'
import { recoverMessageAddress } from 'viem/utils'

/** Returns the address whose key has signed a text; undefined for what is no signature of a key. */
export async function signerOf({
  message,
  signature,
}: {
  message: string
  signature: string
}): Promise<string | undefined> {
  if (!isHex(signature) || signature.length !== 132) return undefined
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase()
  } catch {
    return undefined
  }
}
