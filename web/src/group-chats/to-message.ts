import type { GroupChatItem } from '@parley/sdk'
import { type Entry, keyOf } from '../thread/outbox.ts'
import type { Message } from '../ui/message.ts'

export const toGroupMessage = (item: GroupChatItem, me: string): Message => ({
  key: keyOf(item.id),
  id: item.id,
  mine: item.fromaddr === me,
  fromaddr: item.fromaddr,
  sender_name: item.sender_name,
  text: item.message,
  timestamp: item.timestamp,
  state: 'sent',
})

export const toPendingGroupMessage = (entry: Entry, me: string): Message => ({
  key: entry.id,
  id: 0,
  mine: true,
  fromaddr: me,
  sender_name: '',
  text: entry.text,
  timestamp: entry.timestamp,
  state: entry.state,
  problem: entry.problem,
})
