// What is deleted goes from what is kept at once, also where no page has it open, and before a page that is
// closed could have kept what it shows now.

import type { ChatItem, GroupChatItem, InboxItem } from '@parley/sdk'
import { peerOf } from '../inbox/cache.ts'
import { currentAccount } from '../service/session.ts'
import { mapItems, type Pages } from '../thread/pages.ts'
import { changeKept } from './store.ts'

type Item = ChatItem | GroupChatItem

/** Changes kept messages of an endpoint's histories. Those for which `change` answers undefined are deleted. */
export function changeKeptItems(names: readonly string[], change: (item: Item) => Item | undefined): void {
  const wallet = currentAccount()?.address
  if (!wallet) return
  void changeKept(wallet, 'history', (one) => {
    if (!names.includes(one.key[0] as string)) return one
    const data = mapItems(one.data as Pages<Item>, change)
    if (data === one.data) return one
    return data.pages.flat().length > 0 ? { ...one, data } : undefined
  })
}

/** Deletes kept rows of the inbox. */
export function dropKeptRows(isGone: (row: InboxItem, me: string) => boolean): void {
  const wallet = currentAccount()?.address
  if (!wallet) return
  void changeKept(wallet, 'rows', (one) => ({
    ...one,
    data: (one.data as InboxItem[]).filter((row) => !isGone(row, wallet)),
  }))
}

/** Deletes what is kept of a conversation, such as of a wallet that was blocked. */
export function forgetPeer(peer: string): void {
  const isOf = (item: { fromaddr: string; toaddr: string }) => [item.fromaddr, item.toaddr].includes(peer)
  changeKeptItems(directHistories, (item) => (isOf(item as ChatItem) ? undefined : item))
  dropKeptRows((row, me) => row.context_type === 'dm' && peerOf(row, me) === peer)
}

export const directHistories = ['listConversation', 'listNftConversation'] as const
