import { type GuestKey, mostGuestKeys } from '@parley/sdk/contract/guest-keys.ts'
import { insertInSlot, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { instant } from '../../messages/shared-sql.ts'

export const guestKeyColumns = `data, ${instant('created_ms')} as created_at`

export const findGuestKey = (db: Db, wallet: string, name: string) =>
  db.query<GuestKey>(
    `select ${guestKeyColumns} from guest_keys where ${ofWallet} and name = $3`,
    keyOf(wallet, name),
  )

/** Stores a key, unless there is one of its name: then it returns that one. Returns `number` where the wallet has too many. */
export const insertGuestKey = (db: Db, wallet: string, { name, data }: { name: string; data: string }) =>
  insertInSlot<GuestKey>(
    db,
    {
      table: 'guest_keys',
      most: mostGuestKeys,
      columns: guestKeyColumns,
      known: async () => (await findGuestKey(db, wallet, name))[0],
    },
    wallet,
    { name, data, created_ms: db.now() },
  )
