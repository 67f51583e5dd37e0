import { walletBucket } from '../values/bucket.ts'
import type { Db } from './pool.ts'

interface Slots {
  table: 'api_keys' | 'incoming_hooks'
  /** How many rows a wallet may have. */
  most: number
  /** What is answered of a row. */
  columns: string
}

/** The first slot that none of these rows has. */
export function firstFree(rows: { slot: number }[]): number {
  const taken = new Set(rows.map(({ slot }) => slot))
  let slot = 1
  while (taken.has(slot)) slot++
  return slot
}

/** Stores a row of a wallet in the first slot that is free; undefined when there is none. */
export async function insertInSlot<Row extends object>(
  db: Db,
  { table, most, columns }: Slots,
  wallet: string,
  values: Record<string, unknown>,
): Promise<Row | undefined> {
  const names = Object.keys(values)
  const own = [walletBucket(wallet), wallet]
  for (;;) {
    const rows = await db.query<{ slot: number }>(
      `select slot from ${table} where wbucket = $1 and walletaddr = $2 order by slot`,
      own,
    )
    if (rows.length >= most) return undefined
    const slot = firstFree(rows)
    // Another request may have taken it meanwhile: then the next one is tried.
    const [stored] = await db.query<Row>(
      `with stored as (
         insert into ${table} (wbucket, walletaddr, slot, ${names.join(', ')})
         values ($1, $2, $3, ${names.map((_, i) => `$${i + 4}`).join(', ')})
         on conflict (wbucket, walletaddr, slot) do nothing returning *)
       select ${columns} from stored`,
      [...own, slot, ...Object.values(values)],
    )
    if (stored) return stored
  }
}
