import type { ReactNode } from 'react'

/** A message as a conversation shows it. */
export interface Message {
  /** The React key: the same before and after the message was sent, so that its row is kept. */
  key: string
  /** 0 while it is not stored yet. */
  id: number
  mine: boolean
  fromaddr: string
  /** What others are shown of who wrote it: a name, or a short address. */
  author: string
  text: string
  timestamp: string
  state: 'sent' | 'read' | 'sending' | 'waiting' | 'failed'
  /** Why it could not be sent, or is not sent yet. */
  problem?: string | undefined
  /** closed: encrypted, decrypted here, and its sender proven; broken: it cannot be read. */
  lock?: 'closed' | 'broken' | undefined
  /** Whether it was removed: its text says by whom. */
  removed?: true | undefined
  /** What is told above its text, such as that it is a copy of an earlier message. */
  remark?: string | undefined
  /** Whether it mentions the reader. */
  mentionsMe?: boolean
  /** What it is about. */
  context?: ReactNode
  /** Whether its links are text: of somebody whom the reader has not accepted. */
  linksOff?: boolean
  /** What is told between it and the message before. */
  above?: Line[]
}

/** Something that is told between messages, in its place by time. */
export interface Line {
  /** When it was noticed (ISO 8601). No two of a list have the same. */
  at: string
  content: ReactNode
}
