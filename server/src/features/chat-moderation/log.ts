// Reads the log of a chat.

import type { ChatLogEntry } from '@parley/sdk/contract/chat-moderation-models.ts'
import type { Db } from '../../db/pool.ts'
import { forever } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

/** Returns the bucket and the key of a chat. */
export const ofChat = (chat: string): [number, string] => [chatBucket(chat), chat]

/** Returns a time until which something holds, in the form of the contract. */
export const untilText = (ms: number): string => (ms === forever ? 'forever' : new Date(ms).toISOString())

interface LogRow extends Omit<ChatLogEntry, 'at' | 'post_id' | 'until' | 'room'> {
  room: string | null
  ms: number
  post_id: number | null
  until_ms: number | null
}

function entryOf({ ms, post_id, until_ms, room, ...row }: LogRow): ChatLogEntry {
  return {
    ...row,
    at: new Date(ms).toISOString(),
    ...(post_id !== null && { post_id }),
    ...(room !== null && { room }),
    ...(until_ms !== null && { until: untilText(until_ms) }),
  }
}

export async function findLog(
  db: Db,
  chat: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
  isUnseen: (actor: string) => boolean,
): Promise<ChatLogEntry[]> {
  const rows = await db.query<LogRow>(
    `select id, ms, actor, action, subject, post_id, until_ms, reason, room from chat_log
     where bucket = $1 and chat = $2 and id < $3 order by bucket desc, chat desc, id desc limit $4`,
    [...ofChat(chat), before, limit],
  )
  return rows.map((row) => entryOf(isUnseen(row.actor) ? { ...row, reason: '' } : row))
}

/** Returns the reasons why a wallet has muted or banned others in a chat: the last reason that it wrote for each. */
export async function findOwnReasons(db: Db, chat: string, actor: string): Promise<Map<string, string>> {
  const rows = await db.query<{ subject: string; reason: string }>(
    `select subject, reason from chat_log
     where bucket = $1 and chat = $2 and actor = $3 and action in ('mute', 'ban') order by id desc limit 1000`,
    [...ofChat(chat), actor],
  )
  return new Map(rows.toReversed().map(({ subject, reason }) => [subject, reason]))
}
