// Erases what a wallet has put on messages of others: reactions and pins.

import { portions } from '../db/bucket-portions.ts'
import type { Db } from '../db/pool.ts'

interface Marks {
  table: 'reactions' | 'pins'
  /** The function of the database for the messages of one bucket: it deletes them, and announces that to others. */
  fn: 'erase_reactions_v1' | 'erase_pins_v1'
  /** Others get these events, to which the function adds the message and its place. */
  ofMessage: string
  ofPost: string
}

/** Others get the events that they get when a wallet takes back what it has put there. */
export async function eraseMarks(
  db: Db,
  wallet: string,
  { table, fn, ofMessage, ofPost }: Marks,
): Promise<void> {
  const all = await portions<number>(
    db,
    `select bucket, item_id as key from ${table} where walletaddr = $1 order by bucket, item_id`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.query(`select ${fn}($1, $2, $3::bigint[], $4, $5, $6) as erased`, [
      db.now(),
      bucket,
      keys,
      wallet,
      ofMessage,
      ofPost,
    ])
}
