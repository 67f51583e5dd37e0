import type { ApiKey } from '@parley/sdk/contract/api-keys.ts'
import { mostApiKeys } from '@parley/sdk/contract/api-keys.ts'
import type { Db } from '../../db/pool.ts'
import { insertInSlot, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { GrantTx } from '../../messages/add-grant.ts'
import { instant, lastUsed } from '../../messages/shared-sql.ts'

/** The columns of an API key that a wallet can read; null where there is nothing. */
export const apiKeyColumns = `id, label, scopes, ${instant('created_ms')} as created_at,
  ${lastUsed}, ${instant('expires_ms')} as expires_at`

/** Fields without a value are null in a row, and are missing in what a wallet reads. */
type Row = Pick<ApiKey, 'id' | 'label' | 'scopes' | 'created_at'> &
  Record<'last_used' | 'expires_at', string | null>

const shown = ({ last_used, expires_at, ...row }: Row): ApiKey => ({
  ...row,
  ...(last_used !== null && { last_used }),
  ...(expires_at !== null && { expires_at }),
})

interface KeyToStore {
  id: string
  hash: Buffer
  label: string
  scopes: string[]
  expires: number | null
}

/** Returns undefined when the wallet has reached its maximum. */
export async function insertKey(
  tx: GrantTx<'api_keys'>,
  wallet: string,
  { expires, ...key }: KeyToStore,
): Promise<ApiKey | undefined> {
  const slots = { table: 'api_keys', most: mostApiKeys, columns: apiKeyColumns } as const
  const stored = await insertInSlot<Row>(tx, slots, wallet, {
    ...key,
    created_ms: tx.now(),
    expires_ms: expires,
  })
  return typeof stored === 'string' ? undefined : shown(stored)
}

/** Returns the keys of a wallet, oldest first. */
export const findKeys = async (db: Db, wallet: string): Promise<ApiKey[]> =>
  (
    await db.query<Row>(
      `select ${apiKeyColumns} from api_keys where ${ofWallet} order by created_ms, id`,
      keyOf(wallet),
    )
  ).map(shown)

export const findKey = async (db: Db, wallet: string, id: string): Promise<ApiKey[]> =>
  (
    await db.query<Row>(
      `select ${apiKeyColumns} from api_keys where ${ofWallet} and id = $3`,
      keyOf(wallet, id),
    )
  ).map(shown)

/** Returns true when there was such a key. */
export async function deleteKey(db: Db, wallet: string, id: string): Promise<boolean> {
  const deleted = await db.query(
    `delete from api_keys where ${ofWallet} and id = $3 returning 1 as deleted`,
    keyOf(wallet, id),
  )
  return deleted.length > 0
}
