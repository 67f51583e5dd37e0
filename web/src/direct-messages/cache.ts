import type { ChatItem } from '@parley/sdk'
import { changeItems } from '../thread/history.ts'

/**
 * Changes direct messages in all their histories. Those for which `change` answers undefined are
 * removed.
 */
export function changeMessages(change: (item: ChatItem) => ChatItem | undefined): void {
  changeItems('listConversation', change)
  changeItems('listNftConversation', change)
}

export const setRead = (id: number, read: boolean): void =>
  changeMessages((item) => (item.id === id ? { ...item, read } : item))

export const removeMessage = (id: number): void =>
  changeMessages((item) => (item.id === id ? undefined : item))
