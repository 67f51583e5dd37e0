// Version 1 of the envelope, which is read and no longer written. It binds sender, recipient, NFT
// and the sender's key, but neither an id nor an order, and it does not commit to its key.

import { fromBase64, toBytes, toText } from './bytes.ts'
import { decrypt, unwrap, type Wrapped } from './hpke.ts'
import { CannotOpen, type Content, type IsKeyOf, type KeyPair, type Sealed } from './scheme.ts'

export async function openFirst(item: Sealed, own: KeyPair[], isKeyOf: IsKeyOf): Promise<Content> {
  const wrapped = JSON.parse(item.encrypted_sym_x_key ?? '') as Wrapped
  if (wrapped.v !== 1) throw new CannotOpen('this page does not know its form.')
  const { fromaddr, toaddr, nftaddr, nftid, message } = item
  const context = toBytes(JSON.stringify([fromaddr, toaddr, nftaddr || '', nftid || '', wrapped.from.key]))
  const key = await unwrap('parley-hpke-1', wrapped, item, own, isKeyOf, context)
  const text = toText(await decrypt(key, fromBase64(message), context))
  return { text, id: message }
}
