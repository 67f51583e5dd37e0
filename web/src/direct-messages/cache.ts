import type { ChatItem } from '@parley/sdk'
import { changeItems } from '../thread/history.ts'

/**
 * Changes direct messages in all their histories. Those for which `change` answers undefined are
 * removed.
 */
function changeMessages(change: (item: ChatItem) => ChatItem | undefined): void {
  changeItems('listConversation', change)
  changeItems('listNftConversation', change)
}

export const setRead = (id: number, read: boolean): void =>
  changeMessages((item) => (item.id === id ? { ...item, read } : item))

/** What one wallet has received from another, up to an id; with an NFT only what is about it. */
interface Received {
  id: number
  fromaddr: string
  toaddr: string
  nftaddr?: string
  nftid?: string
}

export const setReadTo = ({ id, fromaddr, toaddr, nftaddr, nftid }: Received): void =>
  changeMessages((item) =>
    item.read ||
    item.id > id ||
    item.fromaddr !== fromaddr ||
    item.toaddr !== toaddr ||
    (nftaddr !== undefined && (item.nftaddr !== nftaddr || item.nftid !== nftid))
      ? item
      : { ...item, read: true },
  )

export const removeMessage = (id: number): void =>
  changeMessages((item) => (item.id === id ? undefined : item))

/** Removes the messages of two wallets, but those up to an id. */
export function removeConversation(one: string, other: string, after = 0): void {
  const pair = new Set([one, other])
  changeMessages((item) =>
    item.id > after && pair.has(item.fromaddr) && pair.has(item.toaddr) ? undefined : item,
  )
}
