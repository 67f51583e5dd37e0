import type { GroupChatItem } from '@parley/sdk'
import { keyOf } from '../thread/outbox.ts'
import type { Message } from '../ui/Message.tsx'

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
