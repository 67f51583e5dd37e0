/** A message as a conversation shows it. */
export interface Message {
  /** The React key: the same before and after the message was sent, so that its row is kept. */
  key: string
  /** 0 while it is not stored yet. */
  id: number
  mine: boolean
  fromaddr: string
  sender_name: string
  text: string
  timestamp: string
  state: 'sent' | 'read' | 'sending' | 'waiting' | 'failed'
  /** Why it could not be sent. */
  problem?: string | undefined
  /** closed: encrypted, decrypted here, and its sender proven; broken: it cannot be read. */
  lock?: 'closed' | 'broken' | undefined
  /** The NFT it is about, as text. */
  context?: string | undefined
}

/** Stored and pending messages. A message that is both is shown once. */
export function mergePending(stored: Message[], pending: Message[]): Message[] {
  if (pending.length === 0) return stored
  const keys = new Set(stored.map(({ key }) => key))
  return [...stored, ...pending.filter(({ key }) => !keys.has(key))]
}

const gap = 5 * 60_000

/** Whether both are of the same sender and less than five minutes apart. */
export const continues = (message: Message, before: Message | undefined): boolean =>
  before !== undefined &&
  before.fromaddr === message.fromaddr &&
  Date.parse(message.timestamp) - Date.parse(before.timestamp) < gap
