// Direct messages in all their cached histories.

import type { ChatItem } from '@parley/sdk'
import { changeItems } from './history.ts'

/**
 * Changes direct messages in all their histories. Those for which `change` answers undefined are
 * removed.
 */
function changeMessages(change: (item: ChatItem) => ChatItem | undefined): void {
  changeItems('listConversation', change)
  changeItems('listNftConversation', change)
}

/** Sets the flag of a message; answers whether it was another one before, undefined when it is not cached. */
export function setRead(id: number, read: boolean): boolean | undefined {
  let changed: boolean | undefined
  changeMessages((item) => {
    if (item.id !== id) return item
    changed ||= item.read !== read
    return { ...item, read }
  })
  return changed
}

/** What one wallet has received from another, up to an id; with an NFT only what is about it. */
interface Received {
  id: number
  fromaddr: string
  toaddr: string
  /** Up to here messages stay as they were. */
  after?: number
  nftaddr?: string
  nftid?: string
}

/** Sets the flags of what was received up to an id; answers how many of the cached ones changed. */
export function setReadTo({ id, fromaddr, toaddr, after = 0, nftaddr, nftid }: Received): number {
  const changed = new Set<number>()
  changeMessages((item) => {
    if (item.read || item.id > id || item.id <= after) return item
    if (item.fromaddr !== fromaddr || item.toaddr !== toaddr) return item
    if (nftaddr !== undefined && (item.nftaddr !== nftaddr || item.nftid !== nftid)) return item
    changed.add(item.id)
    return { ...item, read: true }
  })
  return changed.size
}

export const removeMessage = (id: number): void =>
  changeMessages((item) => (item.id === id ? undefined : item))

/** Removes the messages of two wallets, but those up to an id. */
export function removeConversation(one: string, other: string, after = 0): void {
  const pair = new Set([one, other])
  changeMessages((item) =>
    item.id > after && pair.has(item.fromaddr) && pair.has(item.toaddr) ? undefined : item,
  )
}
