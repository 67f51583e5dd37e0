import { type IncomingHook, mostIncomingHooks } from '@parley/sdk/contract/incoming-hooks.ts'
import type { Db } from '../../db/pool.ts'
import { insertInSlot, keyOf, ofWallet } from '../../db/own-rows.ts'
import type { GrantTx } from '../../messages/add-grant.ts'
import { instant, lastUsed } from '../../messages/shared-sql.ts'

/** The columns of incoming hooks that a wallet can read. */
export const hookColumns = `id, label, nftaddr, ${instant('created_ms')} as created_at, ${lastUsed}`

type Row = Omit<IncomingHook, 'last_used'> & { last_used: string | null }

const shown = ({ last_used, ...row }: Row): IncomingHook => ({ ...row, ...(last_used && { last_used }) })

interface HookToStore {
  id: string
  hash: Buffer
  label: string
  nftaddr: string
}

/** Returns undefined when the wallet has reached its maximum. */
export async function insertHook(
  tx: GrantTx<'incoming_hooks'>,
  wallet: string,
  hook: HookToStore,
): Promise<IncomingHook | undefined> {
  const slots = { table: 'incoming_hooks', most: mostIncomingHooks, columns: hookColumns } as const
  const stored = await insertInSlot<Row>(tx, slots, wallet, { ...hook, created_ms: tx.now() })
  return typeof stored === 'string' ? undefined : shown(stored)
}

/** Returns the hooks of a wallet, oldest first. */
export const findHooks = async (db: Db, wallet: string): Promise<IncomingHook[]> =>
  (
    await db.query<Row>(
      `select ${hookColumns} from incoming_hooks where ${ofWallet} order by created_ms, id`,
      keyOf(wallet),
    )
  ).map(shown)

/** Returns true when there was such a hook. */
export async function deleteHook(db: Db, wallet: string, id: string): Promise<boolean> {
  const deleted = await db.query(
    `delete from incoming_hooks where ${ofWallet} and id = $3 returning 1 as deleted`,
    keyOf(wallet, id),
  )
  return deleted.length > 0
}
