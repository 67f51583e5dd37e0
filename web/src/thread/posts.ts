// A post that was removed from a chat stays an item, without its text.

import type { GroupChatItem } from '@parley/sdk'
import type { RemovedBy } from '@parley/sdk/contract/group-chats.ts'
import { changeStoredItems, deleteStoredRows } from '../device-store/forget.ts'
import { changeItems } from './history.ts'

/** Returns what is shown in place of the text. */
export const removedText = (by: RemovedBy | undefined): string =>
  by === 'author'
    ? 'Removed by its author'
    : by === 'operator'
      ? 'Removed by an operator of this service'
      : 'Removed by a moderator'

/** Shows a post as removed in every cached history. */
export function emptyPost(id: number, removed_by: RemovedBy): void {
  const change = (item: GroupChatItem): GroupChatItem =>
    item.id === id && !item.removed ? { ...item, message: '', removed: true, removed_by } : item
  changeItems('listGroupMessages', change)
  changeStoredItems(['listGroupMessages'], (item) => change(item as GroupChatItem))
  deleteStoredRows((row) => row.context_type !== 'dm' && row.id === id)
}
