import { createHash } from 'node:crypto'
import type { Name } from '../core/names.ts'
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

/** Gives a wallet a name unless it has one; refused by a unique index when another has one that looks like it. */
export async function insertName(db: Db, address: string, { name, folded, skeletons }: Name): Promise<void> {
  await db.query(
    `with named as (
       insert into names (address, name, folded) values ($1, $2, $3) on conflict (address) do nothing returning address
     )
     insert into name_skeletons (skeleton, address)
     select skeleton, address from named, unnest($4::text[]) as s (skeleton) order by skeleton collate "C"`,
    [address, name, folded, skeletons],
  )
}
