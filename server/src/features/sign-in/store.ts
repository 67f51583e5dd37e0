import { createHash } from 'node:crypto'
import { batched } from '../../db/batch.ts'
import { hour } from '../../lib/times.ts'
import type { Name } from '../../values/display-name.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress, ofWallet } from '../../db/own-rows.ts'
import { keepUnseen } from '../../messages/unseen.ts'

/**
 * Spends a nonce: returns true for exactly one caller, on however many instances at once. Sign-ins share their commits.
 */
export const spendNonce = (db: Db, nonce: string, expiresAt: Date): Promise<boolean> =>
  spendTogether(db, { hash: createHash('sha256').update(nonce).digest('hex'), expiresAt })

interface Spending {
  hash: string
  expiresAt: Date
}

const spendTogether = batched(
  async (db: Db, spendings: Spending[]): Promise<boolean[]> => {
    // The order is sorted, so that two batches with the same nonces cannot deadlock.
    const spent = await db.query<{ hash: string }>(
      `insert into used_nonces (nonce_hash, expires_ms)
       select decode(hash, 'hex'), expires_ms from unnest($1::text[], $2::bigint[]) as s (hash, expires_ms) order by hash
       on conflict do nothing returning encode(nonce_hash, 'hex') as hash`,
      [spendings.map(({ hash }) => hash), spendings.map(({ expiresAt }) => expiresAt.getTime())],
    )
    const left = new Set(spent.map(({ hash }) => hash))
    // The first of equal nonces in one batch counts.
    return spendings.map(({ hash }) => left.delete(hash))
  },
  { name: 'nonces', inFlight: 2, size: 128, waitsFor: 'rows' },
)

/**
 * Deletes spent nonces that have expired. The hour is for clocks that disagree: one deleted early
 * could be used again.
 */
export async function deleteExpiredNonces(db: Db): Promise<void> {
  await db.query('delete from used_nonces where expires_ms < $1', [db.now() - hour])
}

/** Gives a wallet a name unless it has one. Throws a unique violation when it looks like another's. */
export async function insertName(
  db: Db,
  publishing: Publishing,
  address: string,
  { name, folded, skeletons }: Name,
): Promise<void> {
  if (publishing.isUnseen) {
    const known = await db.query(
      `select 1 as one from names where ${ofAddress}
       union all select 1 from unseen_changes where ${ofWallet} and kind = 'name'
       union all select 1 from name_skeletons where skeleton = any($3::text[])`,
      keyOf(address, skeletons),
    )
    const change = { kind: 'name', about: address, value: { name } } as const
    if (known.length === 0) await keepUnseen(db, publishing, address, change)
    return
  }
  await db.query('select set_name_v1($1, $2, $3, $4, $5, $6, null, null, false, true) as changed', [
    db.now(),
    ...keyOf(address),
    name,
    folded,
    skeletons,
  ])
}

/** Notes when a wallet signed in first; returns true when this is the first time. Later sign-ins write nothing. */
export async function rememberWallet(db: Db, address: string): Promise<boolean> {
  const added = await db.query(
    `insert into wallets_seen (wbucket, address, first_ms) values ($1, $2, $3)
     on conflict (wbucket, address) do nothing returning address`,
    keyOf(address, db.now()),
  )
  return added.length > 0
}
