import type { ChatItem } from '@parley/sdk'
import type { Readable } from '../keys/readable.ts'
import { keyOf } from '../thread/outbox.ts'
import { shortAddress } from '../ui/address.ts'
import type { Message } from '../ui/Message.tsx'

/**
 * A direct message as it is shown. The NFT it is about is named unless the page is about that NFT.
 */
export function toMessage(
  item: ChatItem,
  { text, lock }: Readable,
  me: string,
  nft: object | undefined,
): Message {
  const { id, fromaddr, sender_name, timestamp, read, nftaddr, nftid } = item
  return {
    key: keyOf(id),
    id,
    mine: fromaddr === me,
    fromaddr,
    sender_name,
    text,
    lock,
    timestamp,
    state: read && item.toaddr !== me ? 'read' : 'sent',
    context: nftaddr && !nft ? `About ${shortAddress(nftaddr)} #${nftid ?? ''}` : undefined,
  }
}
