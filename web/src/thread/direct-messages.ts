// This file changes direct messages in all their cached histories.

import type { ChatItem } from '@parley/sdk'
import { changeStoredItems, directHistories, deleteStoredRows } from '../device-store/forget.ts'
import { changeItems, readAgainWhileReading } from './history.ts'

/** Changes direct messages in all their histories. Those for which `change` returns undefined are removed. */
function changeMessages(change: (item: ChatItem) => ChatItem | undefined): void {
  for (const name of directHistories) changeItems(name, change)
}

/** Removes messages, also from stored data and from reads in progress. */
function remove(isGone: (item: ChatItem) => boolean): void {
  const change = (item: ChatItem) => (isGone(item) ? undefined : item)
  changeMessages(change)
  changeStoredItems(directHistories, (item) => change(item as ChatItem))
  for (const name of directHistories) readAgainWhileReading(name)
}

/** Sets the flag of a message; returns whether it was another one before, undefined when it is not cached. */
export function setRead(id: number, read: boolean): boolean | undefined {
  let changed: boolean | undefined
  changeMessages((item) => {
    if (item.id !== id) return item
    changed ||= item.read !== read
    return { ...item, read }
  })
  return changed
}

/** One wallet has received these from another, up to an id; with an NFT only those about it. */
interface Received {
  id: number
  fromaddr: string
  toaddr: string
  /** Messages up to this id stay as they were. */
  after?: number
  nftaddr?: string
  nftid?: string
}

/** Sets the flags of received messages up to an id; returns how many of the cached ones changed. */
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

export function removeMessage(id: number): void {
  remove((item) => item.id === id)
  deleteStoredRows((row) => row.context_type === 'dm' && row.id === id)
}

/** Removes the messages of two wallets, except those up to an id. */
export function removeConversation(one: string, other: string, after = 0): void {
  const pair = new Set([one, other])
  const isOfPair = ({ fromaddr, toaddr }: { fromaddr: string; toaddr: string }) =>
    pair.has(fromaddr) && pair.has(toaddr)
  remove((item) => item.id > after && isOfPair(item))
  deleteStoredRows((row) => row.context_type === 'dm' && row.id > after && isOfPair(row))
}
