// This module stores up to where a wallet was notified about a conversation or chat, so that it is notified once.

import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { day } from '../../lib/times.ts'

export interface Progress {
  /** The message up to which the wallet was notified, and when. */
  id: number
  ms: number
}

/** Reads the progress. The row is locked until the transaction ends. */
export async function lockProgress(tx: Db, wallet: string, subject: string): Promise<Progress> {
  const [progress] = await tx.query<Progress>(
    `insert into push_marks (wbucket, walletaddr, peer, told_id, told_ms) values ($1, $2, $3, 0, 0)
     on conflict (wbucket, walletaddr, peer) do update set peer = excluded.peer returning told_id as id, told_ms as ms`,
    keyOf(wallet, subject),
  )
  return progress!
}

export const setProgress = (tx: Db, wallet: string, subject: string, id: number) =>
  tx.query(
    `update push_marks set told_id = $4, told_ms = $5 where ${ofWallet} and peer = $3`,
    keyOf(wallet, subject, id, tx.now()),
  )

/** Deletes what no longer matters: older progress is no news. */
export const deleteOldProgress = (db: Db) =>
  db.query('delete from push_marks where told_ms < $1', [db.now() - 2 * day])
