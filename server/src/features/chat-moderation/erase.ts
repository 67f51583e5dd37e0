import type { Db } from '../../db/pool.ts'

/** Erases what the wallet wrote as a moderator, and that it was this wallet. Decisions of others stay, about an erased wallet. */
export async function forgetModeration(tx: Db, wallet: string): Promise<void> {
  await tx.query(
    `update chat_restrictions r set reason = '', ms = $2 from chat_log l
     where l.bucket = r.bucket and l.chat = r.chat and l.actor = $1 and l.subject = r.walletaddr and l.reason = r.reason
       and r.reason <> ''`,
    [wallet, tx.now()],
  )
  await tx.query(`update chat_log set actor = '', reason = '' where actor = $1`, [wallet])
  await tx.query(`update chat_log set subject = '' where subject = $1`, [wallet])
  await tx.query(
    'delete from chat_restrictions where walletaddr = $1 and greatest(muted_until_ms, banned_until_ms) < $2',
    [wallet, tx.now()],
  )
}

/** Passes the chats that the wallet owned on to the wallet that has moderated each for the longest time. */
export async function passOnChats(tx: Db, wallet: string): Promise<void> {
  const owned = await tx.query<{ bucket: number; chat: string }>(
    `select bucket, chat from chat_roles where walletaddr = $1 and role = 'owner' order by bucket, chat`,
    [wallet],
  )
  await tx.query('delete from chat_roles where walletaddr = $1', [wallet])
  for (const { bucket, chat } of owned) {
    const [next] = await tx.query<{ walletaddr: string }>(
      `select walletaddr from chat_roles where bucket = $1 and chat = $2 and role = 'moderator'
       order by since_ms, walletaddr limit 1 for update`,
      [bucket, chat],
    )
    if (!next) continue
    const to = [bucket, chat, next.walletaddr]
    await tx.query(
      `update chat_roles set role = 'owner' where bucket = $1 and chat = $2 and walletaddr = $3`,
      to,
    )
    await tx.query('update communities set creator = $3 where bucket = $1 and chat = $2', to)
  }
}
