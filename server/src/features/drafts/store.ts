import { ApiError } from '@parley/sdk/contract/errors.ts'
import {
  type Draft,
  draftDays,
  mostDraftBytes,
  mostDrafts,
  type NewDraft,
} from '@parley/sdk/contract/drafts.ts'
import { lockByName } from '../../db/lock.ts'
import { type JsonList, list } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { firstFree } from '../../db/slots.ts'
import { draftJson } from '../../messages/rows.ts'
import { walletBucket } from '../../values/bucket.ts'

const ofWallet = 'wbucket = $1 and walletaddr = $2'
const keyOf = (wallet: string) => [walletBucket(wallet), wallet]
const kept = draftDays * 86_400_000

/** Who asks: a wallet by itself, or one of its API keys. */
interface Asking {
  wallet: string
  apiKey: string | undefined
}

/**
 * Stores a draft in the first slot that is free. Says what is full when the wallet has as many drafts, or as
 * many bytes of them, as it may have.
 */
export const insertDraft = (
  db: Db,
  { wallet, apiKey }: Asking,
  { id, toaddr, nftaddr, message }: NewDraft & { id: string },
): Promise<Draft | 'number' | 'bytes'> =>
  db.transaction(async (tx) => {
    // Two at once would both see room.
    await lockByName(tx, `drafts ${wallet}`)
    await tx.query(`delete from drafts where ${ofWallet} and created_ms < $3`, [
      ...keyOf(wallet),
      tx.now() - kept,
    ])
    const rows = await tx.query<{ slot: number; bytes: number }>(
      `select slot, octet_length(message) as bytes from drafts where ${ofWallet}`,
      keyOf(wallet),
    )
    if (rows.length >= mostDrafts) return 'number'
    const bytes = rows.reduce((sum, row) => sum + row.bytes, Buffer.byteLength(message))
    if (bytes > mostDraftBytes) return 'bytes'
    const slot = firstFree(rows)
    const label = apiKey === undefined ? '' : await getLabel(tx, wallet, apiKey)
    const [stored] = await tx.query<{ item: Draft }>(
      `with d as (
         insert into drafts (wbucket, walletaddr, slot, id, toaddr, nftaddr, message, label, api_key, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *)
       select ${draftJson('d')} as item from d`,
      [...keyOf(wallet), slot, id, toaddr ?? null, nftaddr ?? null, message, label, apiKey ?? null, tx.now()],
    )
    return stored!.item
  })

/** Of a key, which cannot be deleted until the draft is there to be deleted too (auth/grants.ts). */
async function getLabel(tx: Db, wallet: string, id: string): Promise<string> {
  const [key] = await tx.query<{ label: string }>(
    `select label from api_keys where ${ofWallet} and id = $3 for share`,
    [...keyOf(wallet), id],
  )
  if (!key) throw new ApiError('unauthorized', 'The API key is not valid: it was deleted.')
  return key.label
}

/** The drafts of a wallet, oldest first; for an API key those that it made. */
export const findDrafts = (db: Db, { wallet, apiKey }: Asking): JsonList<Draft> =>
  draftsOf(
    db,
    { bucket: walletBucket(wallet), wallet, key: apiKey ?? null, since: db.now() - kept },
    { limit: mostDrafts },
  )

const draftsOf = list<Draft, 'bucket' | 'wallet' | 'key' | 'since'>({
  types: { bucket: 'integer', wallet: 'text', key: 'text', since: 'bigint' },
  // Pages go by the time and then by the slot, in one number.
  rows: (direction) => `
    select created_ms * 128 + slot as id, d.id as draft, toaddr, nftaddr, message, label, created_ms from drafts d
    where wbucket = :bucket and walletaddr = :wallet and created_ms >= :since and (:key::text is null or api_key = :key)
      and created_ms * 128 + slot > :after and created_ms * 128 + slot < :before
    order by 1 ${direction} limit :limit`,
  item: `${draftJson('m', 'draft')}::text`,
  texts: ['m.message'],
})

/** Whether there was such a draft; for an API key one that it made. */
export async function deleteDraft(db: Db, { wallet, apiKey }: Asking, id: string): Promise<boolean> {
  const deleted = await db.query(
    `delete from drafts where ${ofWallet} and id = $3 and ($4::text is null or api_key = $4) returning 1 as deleted`,
    [...keyOf(wallet), id, apiKey ?? null],
  )
  return deleted.length > 0
}

/** Deletes drafts that nobody has sent or discarded in time. */
export const deleteOldDrafts = (db: Db) =>
  db.query('delete from drafts where created_ms < $1', [db.now() - kept])
