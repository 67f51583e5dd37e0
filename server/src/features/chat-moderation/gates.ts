// This module stores gates. A change and its row in the log are one transaction.

import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/pool.ts'
import type { Rules } from '../../messages/chat-gates.ts'
import { log } from '../../messages/chat-log.ts'
import { ofChat } from './log.ts'

/** Sets the rules of a chat, or removes them: rules that nobody sets are none. */
export const setGate = (db: Db, chat: string, actor: string, { read, post }: Rules): Promise<void> =>
  db.transaction(async (tx) => {
    const [before] = await tx.query<{ read: unknown; post: unknown }>(
      'select read_rule as read, post_rule as post from chat_gates where bucket = $1 and chat = $2 for update',
      ofChat(chat),
    )
    const next = { read: read ?? null, post: post ?? null }
    if (isDeepStrictEqual(before ?? { read: null, post: null }, next)) return
    await tx.query(
      `insert into chat_gates (bucket, chat, read_rule, post_rule, ms) values ($1, $2, $3, $4, $5)
       on conflict (bucket, chat) do update set read_rule = excluded.read_rule, post_rule = excluded.post_rule, ms = excluded.ms`,
      [...ofChat(chat), asJson(read), asJson(post), tx.now()],
    )
    await log(tx, { chat, actor, action: read || post ? 'set_gate' : 'remove_gate' })
  })

const asJson = (rule: Rules['read']): string | null => (rule ? JSON.stringify(rule) : null)

/** Returns how many members a chat has, and some of them: those that follow a random address. */
export async function sampleMembers(
  db: Db,
  chat: string,
  from: string,
  most: number,
): Promise<{ members: number; sample: string[] }> {
  const [counted] = await db.query<{ members: number }>(
    'select members from group_chats where bucket = $1 and chat = $2',
    ofChat(chat),
  )
  const find = (comparison: '>=' | '<', limit: number) =>
    db.query<{ walletaddr: string }>(
      `select walletaddr from group_visits
       where bucket = $1 and chat = $2 and joined and walletaddr ${comparison} $3
       order by bucket, chat, walletaddr limit $4`,
      [...ofChat(chat), from, limit],
    )
  const after = await find('>=', most)
  const before = after.length < most ? await find('<', most - after.length) : []
  return {
    members: counted?.members ?? 0,
    sample: [...after, ...before].map(({ walletaddr }) => walletaddr),
  }
}
