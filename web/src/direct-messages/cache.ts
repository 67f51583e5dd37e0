import type { ChatItem } from '@parley/sdk'
import { changeArrived } from '../thread/arrivals.ts'
import type { History } from '../thread/history.ts'

export interface Nft {
  nftaddr: string
  nftid: string
}

/**
 * The histories that contain a message between two wallets. A message about an NFT is in that NFT's
 * history too.
 */
export function historiesOf(me: string, peer: string, nft: Nft | undefined): History[] {
  const pair = { fromaddr: me, toaddr: peer }
  const whole: History = { name: 'listConversation', input: pair }
  return nft ? [whole, { name: 'listNftConversation', input: { ...pair, ...nft } }] : [whole]
}

/**
 * Changes direct messages in all their histories. Those for which `change` answers undefined are
 * removed.
 */
export function changeMessages(change: (item: ChatItem) => ChatItem | undefined): void {
  changeArrived('listConversation', change)
  changeArrived('listNftConversation', change)
}

export const setRead = (id: number, read: boolean): void =>
  changeMessages((item) => (item.id === id ? { ...item, read } : item))

export const removeMessage = (id: number): void =>
  changeMessages((item) => (item.id === id ? undefined : item))
