import type { ReactNode } from 'react'
import type { ShownFile } from '../files/shown.ts'

/** This is a message as a conversation shows it. */
export interface Message {
  /** This is the React key. It is the same before and after the message was sent, so that its row stays. */
  key: string
  /** It is 0 while the message is not stored yet. */
  id: number
  mine: boolean
  fromaddr: string
  /** Others see the author as this: a name, or a short address. */
  author: string
  text: string
  /** This number of its files can't be read. */
  unreadableFiles?: number | undefined
  timestamp: string
  state: 'sent' | 'read' | 'sending' | 'waiting' | 'failed'
  /** This says why it could not be sent, or is not sent yet. */
  problem?: string | undefined
  /** closed: encrypted, decrypted here, and its sender proven; broken: it cannot be read. */
  lock?: 'closed' | 'broken' | undefined
  /** The service alone vouches for its sender's key. */
  isVouched?: true | undefined
  /** An encrypted message has these names of itself and of its text. */
  version?: { cid: string; rev: number; re?: { cid: string; h: string } | undefined } | undefined
  /** This is true when it was removed: its text says by whom. */
  removed?: true | undefined
  /** It waits for a moderator, who reads it as it is. */
  held?: true | undefined
  /** This is above its text, for example that it is a copy of an earlier message. */
  remark?: string | undefined
  /** Its text mentions the reader in this form, such as @Mira. */
  mention?: string | undefined
  /** These are its reactions, the most frequent one first. */
  reactions?: Reaction[] | undefined
  /** An encrypted message has here who reacted with what. */
  reactors?: { wallet: string; values: string[] }[] | undefined
  /** These reactions were not opened: yet, because the device is locked, or because they are not for this message. */
  sealedReactions?: { why: 'waiting' | 'locked' | 'broken'; count: number } | undefined
  /** It replies to the message with this id, of which `quote` has what is shown. */
  replyTo?: number | undefined
  quote?: Quote | undefined
  /** An encrypted reply says what it replies to: this says whether that is the message with the id `replyTo`. */
  quoteCheck?: QuoteCheck | undefined
  /** It was edited this number of times; omitted for never. */
  revision?: number | undefined
  pinned?: true | undefined
  /** It is an announcement. */
  announced?: true | undefined
  /** It was imported from elsewhere. */
  imported?: true | undefined
  /** These are its files. */
  files?: ShownFile[] | undefined
  /** The message is about this. */
  context?: ReactNode
  /** When true, its links are text: the reader has not accepted its author. */
  linksOff?: boolean
  /** These lines are between it and the message before. */
  above?: Line[]
}

/** This number of people have reacted with a value. */
export interface Reaction {
  value: string
  count: number
  mine?: true
}

/** A reply shows this of the message that it replies to. */
export interface Quote {
  id: number
  author: string
  text: string
  /**
   * gone: nobody can read it any more; away: it is not loaded; hidden: the reader has blocked its author; wrong: the reply is to
   * another text or message.
   */
  state: 'here' | 'away' | 'gone' | 'hidden' | 'wrong'
  /** The reply is to an earlier text of it. */
  isEdited?: boolean
  /** The reply is encrypted, and this is not. */
  isClear?: boolean
}

/** edited: the reply is to an earlier text of the message. */
export type QuoteCheck = 'fits' | 'edited' | 'wrong' | 'checking'

/** A page does this with its messages. */
export interface MessageActs {
  /** Says what the reader may do with a message. */
  may: (message: Message) => { react: boolean; reply: boolean; edit: boolean }
  /** The next message replies to this one, or its text takes the place of this one's. */
  begin: (kind: 'reply' | 'edit', message: Message) => void
  /** Adds the reader's reaction, or takes it back. */
  react: (message: Message, value: string) => void
  /** Shows all emoji to choose a reaction. */
  pick: (message: Message) => void
  showReactions: (message: Message) => void
  /** Goes to the message that a reply quotes; `from` is the reply. */
  goTo: (id: number, from?: Message) => void
  showEdits: (message: Message) => void
}

/** A line is between messages, in its place by time. */
export interface Line {
  /** It was noticed at this time (ISO 8601). No two lines of a list have the same, unless they have keys. */
  at: string
  key?: string
  content: ReactNode
}

/** A held message is sent like this: in the clear, or encrypted with the known key. */
export type SendAs = 'clear' | 'known'

/**
 * A message is sent in the clear or encrypted, or it is held until its writer has chosen. checking: that is not known
 * yet, and what is entered waits for it.
 */
export type ComposerChannel = 'clear' | 'sealed' | 'held' | 'checking'
