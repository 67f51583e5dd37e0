import type { Comment } from '@parley/sdk'
import { keyOf } from '../thread/outbox.ts'
import type { Message } from '../ui/Message.tsx'

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
