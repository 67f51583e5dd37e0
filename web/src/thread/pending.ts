import type { Message } from '../ui/Message.tsx'
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

/** Stored and pending messages. A message that is both is shown once. */
export function mergePending(stored: Message[], pending: Message[]): Message[] {
  if (pending.length === 0) return stored
  const keys = new Set(stored.map(({ key }) => key))
  return [...stored, ...pending.filter(({ key }) => !keys.has(key))]
}
