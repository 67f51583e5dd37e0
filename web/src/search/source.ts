// What the index is made from: conversations, and their messages, opened.

import type { ChatItem } from '@parley/sdk'
import { hasOf } from '@parley/sdk/search/filters.ts'
import type { Content } from '../keys/crypto/scheme.ts'
import type { NewDoc } from './docs.ts'

/** A conversation, as the inbox shows it. */
export interface Row {
  peer: string
  /** The id and the time of its last message. */
  last: number
  lastTime: number
  /** That message is encrypted. */
  isSealed: boolean
}

/** From here come the messages. */
export interface Source {
  /** Undefined while it is not known which conversations there are. */
  rows: () => Row[] | undefined
  /** Returns the newest messages with smaller ids, oldest first. */
  before: (peer: string, id: number, limit: number) => Promise<ChatItem[]>
  /** Returns all messages after a time, oldest first. */
  since: (peer: string, time: number) => Promise<ChatItem[]>
  /** Throws when it cannot be opened. */
  open: (item: ChatItem) => Promise<Content>
  /** Returns false when nothing in a conversation can be encrypted. */
  maySeal: (row: Row) => Promise<boolean>
  now: () => number
}

/** All messages that a part of a conversation has: those with ids from `from` up to `to`. */
export interface Listed {
  listed: ReadonlySet<number>
  me: string
  peer: string
  from: number
  to: number
}

/**
 * Something has changed while the page is open. An edit comes with the message; of a conversation, what is up to `after` stays.
 * listed: the wallet `me` has read a part of a conversation, and what is not in it is gone. missed: something that no event has
 * brought.
 */
export type Change =
  | { edited: ChatItem }
  | { gone: number }
  | { emptied: [one: string, other: string]; after: number }
  | Listed
  | 'missed'

/** Returns what the index needs of a message that was opened. */
export function docOf(item: ChatItem, { text, files }: Content, me: string): NewDoc {
  const { id, fromaddr, toaddr, timestamp, nftaddr = '', nftid, revision = 0 } = item
  const isMine = fromaddr === me
  const names = files.map(({ name }) => name)
  return {
    id,
    time: Date.parse(timestamp),
    peer: isMine ? toaddr : fromaddr,
    isMine,
    hasFile: files.length > 0,
    hasLink: hasOf('link', [text, ...names], files),
    hasPicture: hasOf('picture', [], files),
    nft: nftaddr,
    nftid,
    revision,
    text,
    names,
  }
}
