import { type Draft, draftDays, mostDrafts, type NewDraft } from '@parley/sdk/contract/drafts.ts'
import type { Db } from '../../db/pool.ts'
import { draftJson } from '../../messages/rows.ts'
import { walletBucket } from '../../values/bucket.ts'

const ofWallet = 'wbucket = $1 and walletaddr = $2'
const keyOf = (wallet: string) => [walletBucket(wallet), wallet]
const kept = draftDays * 86_400_000

/** Stores a draft in the first slot that is free; undefined when there is none. */
export async function insertDraft(
  db: Db,
  wallet: string,
  { id, apiKey, toaddr, nftaddr, message }: NewDraft & { id: string; apiKey: string | undefined },
): Promise<Draft | undefined> {
  const label = apiKey === undefined ? '' : await getLabel(db, wallet, apiKey)
  await db.query(`delete from drafts where ${ofWallet} and created_ms < $3`, [
    ...keyOf(wallet),
    db.now() - kept,
  ])
  for (;;) {
    const rows = await db.query<{ slot: number }>(
      `select slot from drafts where ${ofWallet} order by slot`,
      keyOf(wallet),
    )
    if (rows.length >= mostDrafts) return undefined
    const taken = new Set(rows.map(({ slot }) => slot))
    let slot = 1
    while (taken.has(slot)) slot++
    // Another request may have taken it meanwhile: then the next one is tried.
    const [stored] = await db.query<{ item: Draft }>(
      `with d as (
         insert into drafts (wbucket, walletaddr, slot, id, toaddr, nftaddr, message, label, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (wbucket, walletaddr, slot) do nothing returning *)
       select ${draftJson} as item from d`,
      [...keyOf(wallet), slot, id, toaddr ?? null, nftaddr ?? null, message, label, db.now()],
    )
    if (stored) return stored.item
  }
}

async function getLabel(db: Db, wallet: string, id: string): Promise<string> {
  const [key] = await db.query<{ label: string }>(
    `select label from api_keys where ${ofWallet} and id = $3`,
    [...keyOf(wallet), id],
  )
  return key?.label ?? ''
}

/** The drafts of a wallet, oldest first. */
export const findDrafts = async (db: Db, wallet: string): Promise<Draft[]> =>
  (
    await db.query<{ item: Draft }>(
      `select ${draftJson} as item from drafts d where ${ofWallet} and created_ms >= $3 order by created_ms, id`,
      [...keyOf(wallet), db.now() - kept],
    )
  ).map(({ item }) => item)

/** Whether there was such a draft. */
export async function deleteDraft(db: Db, wallet: string, id: string): Promise<boolean> {
  const deleted = await db.query(`delete from drafts where ${ofWallet} and id = $3 returning 1 as deleted`, [
    ...keyOf(wallet),
    id,
  ])
  return deleted.length > 0
}

/** Deletes drafts that nobody has sent or discarded in time. */
export const deleteOldDrafts = (db: Db) =>
  db.query('delete from drafts where created_ms < $1', [db.now() - kept])
