import type { Comment } from '@parley/sdk'
import { type Entry, keyOf } from '../thread/outbox.ts'
import type { Message } from '../ui/message.ts'

export const toComment = ({ id, fromaddr, name, message, timestamp }: Comment, me: string): Message => ({
  key: keyOf(id),
  id,
  mine: fromaddr === me,
  fromaddr,
  sender_name: name,
  text: message,
  timestamp,
  state: 'sent',
})

export const toPendingComment = (entry: Entry, me: string): Message => ({
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
