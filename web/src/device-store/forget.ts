// Deleted data leaves the store at once, also when no page has it open, and before a page that closes can store what it
// still shows.

import type { ChatItem, GroupChatItem, InboxItem } from '@parley/sdk'
import { peerOf } from '../names/peer.ts'
import { currentAccount } from '../service/session.ts'
import { mapItems, type Pages } from '../service/pages.ts'
import { changeStored } from './store.ts'

type Item = ChatItem | GroupChatItem

/** Changes stored messages of an endpoint's histories. An item is deleted when `change` returns undefined for it. */
export function changeStoredItems(names: readonly string[], change: (item: Item) => Item | undefined): void {
  const wallet = currentAccount()?.address
  if (!wallet) return
  void changeStored(wallet, 'history', (one) => {
    if (!names.includes(one.key[0] as string)) return one
    const data = mapItems(one.data as Pages<Item>, change)
    if (data === one.data) return one
    return data.pages.flat().length > 0 ? { ...one, data } : undefined
  })
}

/** Deletes stored rows of the inbox. */
export function deleteStoredRows(isGone: (row: InboxItem, me: string) => boolean): void {
  const wallet = currentAccount()?.address
  if (!wallet) return
  void changeStored(wallet, 'rows', (one) => ({
    ...one,
    data: (one.data as InboxItem[]).filter((row) => !isGone(row, wallet)),
  }))
}

/** Deletes the stored data of a conversation, for example after a block. */
export function forgetPeer(peer: string): void {
  const isOf = (item: { fromaddr: string; toaddr: string }) => [item.fromaddr, item.toaddr].includes(peer)
  changeStoredItems(directHistories, (item) => (isOf(item as ChatItem) ? undefined : item))
  deleteStoredRows((row, me) => row.context_type === 'dm' && peerOf(row, me) === peer)
}

export const directHistories = ['listConversation', 'listNftConversation'] as const
