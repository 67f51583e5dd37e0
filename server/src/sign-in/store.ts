import { createHash } from 'node:crypto'
import type { Db } from '../db/connect.ts'

/** Spends a nonce: true for exactly one caller, on however many instances at once. */
export async function spendNonce(db: Db, nonce: string, expiresAt: Date): Promise<boolean> {
  const hash = createHash('sha256').update(nonce).digest()
  const spent = await db.query(
    'insert into used_nonces (nonce_hash, expires_at) values ($1, $2) on conflict do nothing returning 1 as spent',
    [hash, expiresAt],
  )
  return spent.length === 1
}

/** Forgets spent nonces that have expired. The hour is for clocks that disagree: one forgotten early could be used again. */
export async function deleteExpiredNonces(db: Db): Promise<void> {
  await db.query(`delete from used_nonces where expires_at < now() - interval '1 hour'`)
}
