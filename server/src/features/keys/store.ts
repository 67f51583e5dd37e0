import type { NewKey, PublishedKey } from '@parley/sdk/contract/keys.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { instant } from '../../messages/shared-sql.ts'

/** The columns of keys that anyone may read. */
const publicKeyColumns = `address, public_key, signature, ${instant('updated_ms')} as updated_at`

/** The columns of keys that only the wallet itself may read. */
export const ownKeyColumns = `${publicKeyColumns}, backup`

/**
 * Replaces a wallet's key. With `replaces` only the key that was stored then, or, when it is empty, none: otherwise it stores
 * nothing and returns no row.
 */
export function upsertKey(db: Db, { address, public_key, signature, backup, replaces }: NewKey) {
  const values = keyOf(address, public_key, signature, backup, db.now())
  return replaces
    ? db.query<PublishedKey>(update, [...values, Date.parse(replaces)])
    : db.query<PublishedKey>(upsert, [...values, replaces === undefined])
}

const upsert = `with stored as (
    insert into keys (wbucket, address, public_key, signature, backup, updated_ms) values ($1, $2, $3, $4, $5, $6)
    on conflict (wbucket, address) do update set public_key = excluded.public_key, signature = excluded.signature,
      backup = excluded.backup, updated_ms = greatest(excluded.updated_ms, keys.updated_ms + 1)
      where $7::boolean
    returning *
  )
  select ${ownKeyColumns} from stored`

const update = `with stored as (
    update keys set public_key = $3, signature = $4, backup = $5, updated_ms = greatest($6, updated_ms + 1)
    where ${ofAddress} and updated_ms = $7
    returning *
  )
  select ${ownKeyColumns} from stored`

/** Returns what anyone may read of a wallet's key. */
export const findKey = (db: Db, address: string) =>
  db.query<PublishedKey>(`select ${publicKeyColumns} from keys where ${ofAddress}`, keyOf(address))

/** Returns a wallet's key with its backup, for the wallet itself. */
export const findOwnKey = (db: Db, address: string) =>
  db.query<PublishedKey>(`select ${ownKeyColumns} from keys where ${ofAddress}`, keyOf(address))
