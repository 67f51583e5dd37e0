// These types have what is known of a message before it is stored, and what the database returns.

import type { FileItem } from '@parley/sdk/contract/files.ts'
import type { Refused } from './refusals.ts'

export interface RequestKey {
  /** The caller has sent it. */
  caller: string
  /** The key is the endpoint, a space, and the key of the header. */
  key: string
  /** This is a hash of the request: another request must not have the same key. */
  request: Buffer
}

/** This is what was stored of a message. */
export interface Stored {
  id: number
  ms: number
  /** The name is empty where there is none. */
  sender_name: string
  /** These are its files; without any it is null, or not there. */
  files?: FileItem[] | null
}

export interface Row {
  id: number | null
  ms: number | null
  /** The name is JSON. */
  sender_name: string | null
  refused:
    | 'too-fast'
    | 'stranger'
    | 'repeated'
    | 'mismatch'
    | Refused
    | 'first'
    | 'alone'
    | 'slow'
    | 'no-quoted'
    | 'no-file'
    | null
  /** This is true when the message began a conversation. */
  began?: boolean | null
  /** The recipient accepts messages from these wallets; null is everyone. */
  policy: string | null
  files?: FileItem[] | null
}

/** This is a message that is to be stored. */
export interface Item<Message> {
  message: Message
  bucket: number
  /** The place is its conversation or chat. */
  place: string
  key: RequestKey | undefined
  /** This policy holds for a recipient that has chosen none. */
  dmDefault: string
  /** This is false when its sender may begin no other conversation today. */
  mayBegin: boolean
  /** This is true when its sender may write first to a wallet that does not accept messages from everyone. */
  mayAsk: boolean
  /** Says what a chain knows of the sender, where the recipient accepts messages from holders. */
  holder: 'holder' | 'unknown' | undefined
  /** This is true when it is stored for its sender alone, for any recipient. */
  withheld: boolean
  /** For a post these say whether a moderator must review it, and how long its author waits for the next one. */
  held: boolean
  slowMs: number
  /** It replies to the message with this id. */
  replyTo: number | undefined
  /** These are the ids of its files, joined by commas. */
  files: string | undefined
}

/** This is a kind of messages, as its functions store it. */
export interface Kind<Message> {
  /** These are the functions of the database for one message and for a batch. */
  one: string
  many: string
  /** This is the one for a message with files. */
  withFiles: string
  /** These fields of a message are parameters of the functions. */
  texts: readonly (keyof Message & string)[]
  /** Makes the copy of the last message for the row of its place. */
  copyOf: (message: Message, ms: number) => object
  copyVersion: number
  /** This is true when it is sent from one wallet to another. */
  isDirect?: true
}
