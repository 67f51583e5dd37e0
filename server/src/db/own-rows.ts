// This file has statements for the rows of one wallet in a table that leads with its bucket.

import { walletBucket } from '../values/bucket.ts'
import type { Db } from './pool.ts'

/** Returns the condition for the rows of a wallet, whose address is in this column. */
export const ofOwner = (column: string) => `wbucket = $1 and ${column} = $2`
export const ofWallet = ofOwner('walletaddr')
export const ofAddress = ofOwner('address')
/** Returns the parameters of such a statement; those of the rest of it follow. */
export const keyOf = (wallet: string, ...more: unknown[]) => [walletBucket(wallet), wallet, ...more]

interface Slots<Row> {
  /** Its primary key is `wbucket`, `walletaddr` and `slot`. */
  table: string
  /** A wallet may have at most this many rows. */
  most: number
  /** Limits the total size of its rows: `of` is the SQL of a row's size, `ofNew` the size of the new row. */
  size?: { of: string; ofNew: number; most: number }
  /** These columns of a row are returned. */
  columns: string
  /** Of a table with one more unique key: returns the row that has it already, which stays. */
  known?: () => Promise<Row | undefined>
}

/** Returns the first slot that none of these rows has. */
function firstFree(rows: { slot: number }[]): number {
  const taken = new Set(rows.map(({ slot }) => slot))
  let slot = 1
  while (taken.has(slot)) slot++
  return slot
}

/**
 * Stores a row of a wallet in the first free slot. Without a free slot, or when the rows would be too large together, it returns
 * which of the two applies. The key of such a table contains the slot, so no wallet has more than the maximum.
 */
export async function insertInSlot<Row extends object>(
  db: Db,
  { table, most, size, columns, known }: Slots<Row>,
  wallet: string,
  values: Record<string, unknown>,
): Promise<Row | 'number' | 'size'> {
  const names = Object.keys(values)
  for (;;) {
    const before = await known?.()
    if (before) return before
    const rows = await db.query<{ slot: number; size: number }>(
      `select slot, ${size?.of ?? 0} as size from ${table} where ${ofWallet}`,
      keyOf(wallet),
    )
    if (rows.length >= most) return 'number'
    if (size && rows.reduce((sum, row) => sum + row.size, size.ofNew) > size.most) return 'size'
    // Another request may have taken the slot, or that key, meanwhile: then the rows are read again.
    const [stored] = await db.query<Row>(
      `with stored as (
         insert into ${table} (wbucket, walletaddr, slot, ${names.join(', ')})
         values ($1, $2, $3, ${names.map((_, i) => `$${i + 4}`).join(', ')})
         on conflict ${known ? '' : '(wbucket, walletaddr, slot)'} do nothing returning *)
       select ${columns} from stored`,
      keyOf(wallet, firstFree(rows), ...Object.values(values)),
    )
    if (stored) return stored
  }
}

/** Deletes the rows that lie with a wallet. */
export const deleteOwn =
  (table: string, column = 'walletaddr') =>
  (tx: Db, wallet: string) =>
    tx.query(`delete from ${table} where ${ofOwner(column)}`, keyOf(wallet))

/** Deletes the rows of a wallet in other buckets. */
export const deleteNaming =
  (table: string, column = 'walletaddr') =>
  (tx: Db, wallet: string) =>
    tx.query(`delete from ${table} where ${column} = $1`, [wallet])
