import type { Message } from '../ui/message.ts'
import type { Entry } from './outbox.ts'

/** An entry of the outbox as a message. */
export const toPending = (entry: Entry, me: string): Message => ({
  key: entry.id,
  id: 0,
  mine: true,
  fromaddr: me,
  sender_name: '',
  text: entry.text,
  timestamp: entry.timestamp,
  state: entry.state,
  problem: entry.problem,
  lock: entry.encrypt ? 'closed' : undefined,
})
