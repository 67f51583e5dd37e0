// What is known of a message that is to be stored, and what the database answers.

import type { Refused } from './refusals.ts'

/** The Idempotency-Key of a request. */
export interface RequestKey {
  /** Who sent it. */
  caller: string
  /** The endpoint, a space, and the key. */
  key: string
  /** A hash of the request: another request must not have the same key. */
  request: Buffer
}

/** What was stored of a message. */
export interface Stored {
  id: number
  ms: number
  /** Empty without a name. */
  sender_name: string
}

export interface Row {
  id: number | null
  ms: number | null
  /** JSON. */
  sender_name: string | null
  refused: 'too-fast' | 'stranger' | 'repeated' | 'mismatch' | Refused | 'first' | 'alone' | 'slow' | null
  /** Whether the message began a conversation. */
  began?: boolean | null
  /** From whom the recipient takes messages; null for everyone. */
  policy: string | null
}

/** A message that is to be stored. */
export interface Item<Message> {
  message: Message
  bucket: number
  /** Its conversation or chat. */
  place: string
  key: RequestKey | undefined
  /** The policy of a recipient that has chosen none. */
  dmDefault: string
  /** False when its sender may begin no other conversation today. */
  mayBegin: boolean
  /** Whether its sender may write first to a wallet that does not take messages of everyone. */
  mayAsk: boolean
  /** What a chain says of the sender, where the recipient takes messages of holders. */
  holder: 'holder' | 'unknown' | undefined
  /** Whether it is stored for its sender alone, whoever its recipient is. */
  withheld: boolean
  /** Of a post: whether a moderator is to look at it, and how long its author waits for the next one. */
  held: boolean
  slowMs: number
}

/** A kind of messages, as its functions store it. */
export interface Kind<Message> {
  /** The function of the database for one message, and the one for a batch. */
  one: string
  many: string
  /** The function for one message with the parameters that few need, where it is another one. */
  special?: string
  /** The fields of a message that are their parameters. */
  texts: readonly (keyof Message & string)[]
  /** What the row of its place keeps of its last message. */
  copyOf: (message: Message, ms: number) => object
  copyVersion: number
  /** Whether it is sent from one wallet to another. */
  isDirect?: true
}
