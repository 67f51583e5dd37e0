import type { ApiKey } from '@parley/sdk/contract/api-keys.ts'
import { mostApiKeys } from '@parley/sdk/contract/api-keys.ts'
import type { Db } from '../../db/pool.ts'
import { apiKeyColumns } from '../../messages/rows.ts'
import { walletBucket } from '../../values/bucket.ts'

const ofWallet = 'wbucket = $1 and walletaddr = $2'
const keyOf = (wallet: string) => [walletBucket(wallet), wallet]

type Row = { [Field in keyof ApiKey]: ApiKey[Field] | null }

/** What is null is left out. */
const shown = (row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as ApiKey

export interface KeyToStore {
  id: string
  hash: Buffer
  label: string
  scopes: string[]
  expires: number | null
}

/** Stores a key in the first slot that is free; undefined when there is none. */
export async function insertKey(
  db: Db,
  wallet: string,
  { id, hash, label, scopes, expires }: KeyToStore,
): Promise<ApiKey | undefined> {
  for (;;) {
    const rows = await db.query<{ slot: number }>(
      `select slot from api_keys where ${ofWallet} order by slot`,
      keyOf(wallet),
    )
    if (rows.length >= mostApiKeys) return undefined
    const taken = new Set(rows.map(({ slot }) => slot))
    let slot = 1
    while (taken.has(slot)) slot++
    // Another request may have taken it meanwhile: then the next one is tried.
    const [stored] = await db.query<Row>(
      `insert into api_keys (wbucket, walletaddr, slot, id, hash, label, scopes, created_ms, expires_ms)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (wbucket, walletaddr, slot) do nothing returning ${apiKeyColumns}`,
      [...keyOf(wallet), slot, id, hash, label, scopes, db.now(), expires],
    )
    if (stored) return shown(stored)
  }
}

/** The keys of a wallet, oldest first. */
export const findKeys = async (db: Db, wallet: string): Promise<ApiKey[]> =>
  (
    await db.query<Row>(
      `select ${apiKeyColumns} from api_keys where ${ofWallet} order by created_ms, id`,
      keyOf(wallet),
    )
  ).map(shown)

export const findKey = async (db: Db, wallet: string, id: string): Promise<ApiKey[]> =>
  (
    await db.query<Row>(`select ${apiKeyColumns} from api_keys where ${ofWallet} and id = $3`, [
      ...keyOf(wallet),
      id,
    ])
  ).map(shown)

/** Whether there was such a key. */
export async function deleteKey(db: Db, wallet: string, id: string): Promise<boolean> {
  const deleted = await db.query(
    `delete from api_keys where ${ofWallet} and id = $3 returning 1 as deleted`,
    [...keyOf(wallet), id],
  )
  return deleted.length > 0
}
