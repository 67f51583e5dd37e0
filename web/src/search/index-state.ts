// What the head of an index says: how far each conversation is read, and which segments there are.

/** At most this many messages are indexed; the newest ones. */
export const mostMessages = 200_000

/** How far a conversation is read: it is indexed from `bottom` up to `top`. */
export interface Conversation {
  /** The id and the time of the newest message, and of the oldest one, that was read. */
  top: number
  topTime: number
  bottom: number
  bottomTime: number
  /** There is no older one. */
  isWhole: boolean
  /** At this time (epoch ms) what changed before was known. */
  seenAt: number
  /** Nothing in it was encrypted: the other wallet has had no key. Nothing is read of it then. */
  isClear?: boolean
  /** Some of its messages were encrypted for a key that is not open here. */
  hasUnopened?: boolean
}

export interface SegmentEntry {
  name: number
  count: number
  /** These of its messages are gone, or in a later segment. */
  dead: number[]
}

export interface State {
  conversations: Record<string, Conversation>
  segments: SegmentEntry[]
  /** The name of the next record. */
  next: number
  /** These key pairs were open. */
  pairs: string[]
}

export const newState = (): State => ({ conversations: {}, segments: [], next: 1, pairs: [] })

/** Returns the number of messages that may be found. */
export const countOf = ({ segments }: State): number =>
  segments.reduce((sum, { count, dead }) => sum + count - dead.length, 0)
