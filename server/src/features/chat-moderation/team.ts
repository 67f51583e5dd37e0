// This module stores who is the team of a chat. A change and its row in the log are one transaction.

import { type ChatTeamMember, mostInChatTeam } from '@parley/sdk/contract/chat-team.ts'
import type { Db } from '../../db/pool.ts'
import { log } from '../../messages/chat-log.ts'
import { ofChat } from './log.ts'

/** Returns the team of a chat, without those whom a wallet has named that is muted unseen. */
export async function findTeam(
  db: Db,
  chat: string,
  isUnseen: (namedBy: string) => boolean,
): Promise<ChatTeamMember[]> {
  const rows = await db.query<Omit<ChatTeamMember, 'since'> & { named_by: string; since_ms: number }>(
    'select walletaddr, label, named_by, since_ms from chat_team where chat = $1 order by since_ms, walletaddr',
    [chat],
  )
  return rows
    .filter(({ named_by }) => !isUnseen(named_by))
    .map(({ walletaddr, label, since_ms }) => ({
      walletaddr,
      label,
      since: new Date(since_ms).toISOString(),
    }))
}

interface Named {
  owner: string
  wallet: string
  label: string
}

/** Returns false when the team has its maximum. Changes of a team take turns by the row of the chat's owner. */
export const addToTeam = (db: Db, chat: string, { owner, wallet, label }: Named): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.query(
      `select walletaddr from chat_roles where bucket = $1 and chat = $2 and role = 'owner' for update`,
      ofChat(chat),
    )
    const team = await tx.query<{ walletaddr: string; label: string }>(
      'select walletaddr, label from chat_team where chat = $1',
      [chat],
    )
    const known = team.find(({ walletaddr }) => walletaddr === wallet)
    if (known?.label === label) return true
    if (!known && team.length >= mostInChatTeam) return false
    await tx.query(
      `insert into chat_team (chat, walletaddr, label, named_by, since_ms) values ($1, $2, $3, $4, $5)
       on conflict (chat, walletaddr) do update set label = excluded.label, named_by = excluded.named_by`,
      [chat, wallet, label, owner, tx.now()],
    )
    await log(tx, { chat, actor: owner, action: 'add_to_team', subject: wallet })
    return true
  })

export const removeFromTeam = (db: Db, chat: string, actor: string, wallet: string): Promise<void> =>
  db.transaction(async (tx) => {
    const removed = await tx.query(
      'delete from chat_team where chat = $1 and walletaddr = $2 returning walletaddr',
      [chat, wallet],
    )
    if (removed.length > 0) await log(tx, { chat, actor, action: 'remove_from_team', subject: wallet })
  })
