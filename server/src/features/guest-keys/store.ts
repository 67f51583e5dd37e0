import { type GuestKey, mostGuestKeys } from '@parley/sdk/contract/guest-keys.ts'
import { firstFree, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { instant } from '../../messages/shared-sql.ts'

export const guestKeyColumns = `data, ${instant('created_ms')} as created_at`

export const findGuestKey = (db: Db, wallet: string, name: string) =>
  db.query<GuestKey>(
    `select ${guestKeyColumns} from guest_keys where ${ofWallet} and name = $3`,
    keyOf(wallet, name),
  )

/** Stores a key, unless there is one of its name: then it returns that one. Returns `number` where the wallet has too many. */
export async function insertGuestKey(
  db: Db,
  wallet: string,
  { name, data }: { name: string; data: string },
): Promise<GuestKey | 'number'> {
  for (;;) {
    const [known] = await findGuestKey(db, wallet, name)
    if (known) return known
    const rows = await db.query<{ slot: number }>(
      `select slot from guest_keys where ${ofWallet}`,
      keyOf(wallet),
    )
    if (rows.length >= mostGuestKeys) return 'number'
    // Another request may have taken the slot or the name meanwhile: then it is read again.
    const [stored] = await db.query<GuestKey>(
      `with stored as (
         insert into guest_keys (wbucket, walletaddr, slot, name, data, created_ms) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing returning *)
       select ${guestKeyColumns} from stored`,
      keyOf(wallet, firstFree(rows), name, data, db.now()),
    )
    if (stored) return stored
  }
}
