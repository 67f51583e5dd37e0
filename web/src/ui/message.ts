/** A message as a conversation shows it. */
export interface Message {
  /** The same before and after it was sent, so that nothing jumps. */
  key: string
  /** 0 while it is not stored yet. */
  id: number
  mine: boolean
  fromaddr: string
  sender_name: string
  text: string
  timestamp: string
  state: 'sent' | 'read' | 'sending' | 'waiting' | 'failed'
  /** Why it failed. */
  problem?: string | undefined
  /** Whether it was encrypted, and could be read and its sender proven. */
  lock?: 'closed' | 'broken' | undefined
  /** What it is about. */
  context?: string | undefined
}

/** What is stored and what is on its way, each once. */
export function joined(stored: Message[], pending: Message[]): Message[] {
  if (pending.length === 0) return stored
  const keys = new Set(stored.map(({ key }) => key))
  return [...stored, ...pending.filter(({ key }) => !keys.has(key))]
}

const gap = 5 * 60_000

/** Whether a message continues what the same person was saying. */
export const continues = (message: Message, before: Message | undefined): boolean =>
  before !== undefined &&
  before.fromaddr === message.fromaddr &&
  Date.parse(message.timestamp) - Date.parse(before.timestamp) < gap
