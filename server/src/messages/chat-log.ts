// The log of a chat has what its owner and its moderators did. That of a community has what they did in its rooms too.

import type { Publishing } from '../auth/publishing.ts'
import type { Db } from '../db/pool.ts'
import { chatBucket } from '../values/bucket.ts'
import { communityOf, isRoom } from './chat-key.ts'

/** The reason that a moderator gives: others read it. */
export interface Why {
  reason: string
  publishing: Publishing
}

/** An action of a wallet in a chat. */
interface Entry {
  chat: string
  actor: string
  action: string
  subject?: string
  post?: number
  until?: number
  why?: Why | undefined
}

/** Adds a row to the log of a chat, in the transaction of what it says. */
export const log = (tx: Db, { chat, actor, action, subject = '', post, until, why }: Entry) =>
  tx.query('select log_in_chat_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as id', [
    tx.now(),
    chatBucket(chat),
    communityOf(chat),
    actor,
    action,
    subject,
    post ?? null,
    until ?? null,
    why?.reason ?? '',
    isRoom(chat) ? chat : null,
  ])
