import type { Db } from '../db/pool.ts'

/** Selects the visits of chats of one bucket by a wallet: $1 is the bucket, $2 the chats, $3 the wallet. */
export const ofVisits = 'bucket = $1 and chat = any($2) and walletaddr = $3'

export const lockVisits = (tx: Db, of: unknown[]) =>
  tx.query(`select chat from group_visits where ${ofVisits} order by chat for update`, of)
