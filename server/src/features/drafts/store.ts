import { ApiError } from '@parley/sdk/contract/errors.ts'
import {
  type Draft,
  draftDays,
  mostDraftBytes,
  mostDrafts,
  type NewDraft,
} from '@parley/sdk/contract/drafts.ts'
import { insertInSlot, keyOf, ofWallet } from '../../db/own-rows.ts'
import { type JsonList, list } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { day } from '../../lib/times.ts'
import { instant } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'

const lifetime = draftDays * day

/** SQL for a draft as its wallet reads it; `id` is the column that names it. */
export const draftJson = (row: string, id = 'id') =>
  `json_strip_nulls(json_build_object('id', ${row}.${id}, 'toaddr', ${row}.toaddr, 'nftaddr', ${row}.nftaddr,
    'message', ${row}.message, 'label', ${row}.label, 'created_at', ${instant(`${row}.created_ms`)}))`

/** The caller: a wallet by itself, or one of its API keys. */
interface Asking {
  wallet: string
  apiKey: string | undefined
}

/** Stores a draft. When the wallet has reached its maximum of drafts or of their bytes, it returns which of the two. */
export const insertDraft = (
  db: Db,
  { wallet, apiKey }: Asking,
  { id, toaddr, nftaddr, message }: NewDraft & { id: string },
): Promise<Draft | 'number' | 'size'> =>
  db.transaction(async (tx) => {
    const label = apiKey === undefined ? '' : await getLabel(tx, wallet, apiKey)
    await tx.query(
      `delete from drafts where ${ofWallet} and created_ms < $3`,
      keyOf(wallet, tx.now() - lifetime),
    )
    const stored = await insertInSlot<{ item: Draft }>(
      tx,
      {
        table: 'drafts',
        most: mostDrafts,
        size: { of: 'octet_length(message)', ofNew: Buffer.byteLength(message), most: mostDraftBytes },
        columns: `${draftJson('stored')} as item`,
      },
      wallet,
      {
        id,
        toaddr: toaddr ?? null,
        nftaddr: nftaddr ?? null,
        message,
        label,
        api_key: apiKey ?? null,
        created_ms: tx.now(),
      },
    )
    return typeof stored === 'string' ? stored : stored.item
  })

/** Returns the label of a key, which cannot be deleted until the draft is there to be deleted too (auth/grants.ts). */
async function getLabel(tx: Db, wallet: string, id: string): Promise<string> {
  const [key] = await tx.query<{ label: string }>(
    `select label from api_keys where ${ofWallet} and id = $3 for share`,
    keyOf(wallet, id),
  )
  if (!key) throw new ApiError('unauthorized', 'The API key is not valid: it was deleted.')
  return key.label
}

/** Returns the drafts of a wallet, oldest first; for an API key those that it made. */
export const findDrafts = (db: Db, { wallet, apiKey }: Asking): JsonList<Draft> =>
  draftsOf(
    db,
    { bucket: walletBucket(wallet), wallet, key: apiKey ?? null, since: db.now() - lifetime },
    { limit: mostDrafts },
  )

const draftsOf = list<Draft, 'bucket' | 'wallet' | 'key' | 'since'>({
  types: { bucket: 'integer', wallet: 'text', key: 'text', since: 'bigint' },
  // Pages are ordered by the time and then by the slot, in one number.
  rows: (direction) => `
    select created_ms * 128 + slot as id, d.id as draft, toaddr, nftaddr, message, label, created_ms from drafts d
    where wbucket = :bucket and walletaddr = :wallet and created_ms >= :since and (:key::text is null or api_key = :key)
      and created_ms * 128 + slot > :after and created_ms * 128 + slot < :before
    order by 1 ${direction} limit :limit`,
  item: `${draftJson('m', 'draft')}::text`,
  texts: ['m.message'],
})

/** Returns true when there was such a draft; for an API key one that it made. */
export async function deleteDraft(db: Db, { wallet, apiKey }: Asking, id: string): Promise<boolean> {
  const deleted = await db.query(
    `delete from drafts where ${ofWallet} and id = $3 and ($4::text is null or api_key = $4) returning 1 as deleted`,
    keyOf(wallet, id, apiKey ?? null),
  )
  return deleted.length > 0
}

/** Deletes drafts that nobody has sent or discarded in time. */
export const deleteOldDrafts = (db: Db) =>
  db.query('delete from drafts where created_ms < $1', [db.now() - lifetime])
