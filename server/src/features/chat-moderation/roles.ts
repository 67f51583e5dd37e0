// This module stores who moderates a chat. A decision and its row in the log are one transaction.

import { type Moderator, mostModerators } from '@parley/sdk/contract/chat-moderation-models.ts'
import type { Db } from '../../db/pool.ts'
import { log } from '../../messages/chat-log.ts'
import { ofChat } from './log.ts'

export async function findModerators(db: Db, chat: string): Promise<Moderator[]> {
  const rows = await db.query<Omit<Moderator, 'since'> & { since_ms: number }>(
    `select walletaddr, role, since_ms from chat_roles where bucket = $1 and chat = $2 order by role desc, since_ms, walletaddr`,
    ofChat(chat),
  )
  return rows.map(({ walletaddr, role, since_ms }) => {
    return { walletaddr, role, since: new Date(since_ms).toISOString() }
  })
}

/** Returns false when the chat has reached its maximum of moderators. */
export const addModerator = (db: Db, chat: string, owner: string, wallet: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.query(
      `select walletaddr from chat_roles where bucket = $1 and chat = $2 and role = 'owner' for update`,
      ofChat(chat),
    )
    const added = await tx.query(
      `insert into chat_roles (bucket, chat, walletaddr, role, since_ms)
       select l.bucket, $2, $3, 'moderator', $4 from buckets l
       where l.bucket = $1 and (select count(*) from chat_roles where bucket = $1 and chat = $2) <= ${mostModerators}
       on conflict (bucket, chat, walletaddr) do nothing returning walletaddr`,
      [...ofChat(chat), wallet, tx.now()],
    )
    if (added.length > 0) await log(tx, { chat, actor: owner, action: 'add_moderator', subject: wallet })
    const [known] = await tx.query(
      'select role from chat_roles where bucket = $1 and chat = $2 and walletaddr = $3',
      [...ofChat(chat), wallet],
    )
    return known !== undefined
  })

export const removeModerator = (db: Db, chat: string, actor: string, wallet: string): Promise<void> =>
  db.transaction(async (tx) => {
    const removed = await tx.query(
      `delete from chat_roles where bucket = $1 and chat = $2 and walletaddr = $3 and role = 'moderator' returning walletaddr`,
      [...ofChat(chat), wallet],
    )
    if (removed.length > 0) await log(tx, { chat, actor, action: 'remove_moderator', subject: wallet })
  })

/** Makes a wallet the owner; the owner before stays as a moderator. `from` hands it over; without it the wallet claims it. */
export const setOwner = (db: Db, chat: string, wallet: string, from?: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = tx.now()
    const [owner] = await tx.query<{ walletaddr: string }>(
      `select walletaddr from chat_roles where bucket = $1 and chat = $2 and role = 'owner' for update`,
      ofChat(chat),
    )
    if (owner?.walletaddr === wallet) return true
    if (from !== undefined) {
      if (owner?.walletaddr !== from) return false
      const [moderator] = await tx.query(
        `select role from chat_roles where bucket = $1 and chat = $2 and walletaddr = $3 and role = 'moderator' for update`,
        [...ofChat(chat), wallet],
      )
      if (!moderator) return false
    }
    await tx.query(
      `update chat_roles set role = 'moderator' where bucket = $1 and chat = $2 and role = 'owner'`,
      ofChat(chat),
    )
    await tx.query(
      `insert into chat_roles (bucket, chat, walletaddr, role, since_ms) values ($1, $2, $3, 'owner', $4)
       on conflict (bucket, chat, walletaddr) do update set role = 'owner', since_ms = excluded.since_ms`,
      [...ofChat(chat), wallet, now],
    )
    await tx.query('update communities set creator = $3 where bucket = $1 and chat = $2', [
      ...ofChat(chat),
      wallet,
    ])
    const action = from === undefined ? 'claim' : 'hand_over'
    await log(tx, { chat, actor: from ?? wallet, action, subject: wallet })
    return true
  })
