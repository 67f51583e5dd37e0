import { type IncomingHook, mostIncomingHooks } from '@parley/sdk/contract/incoming-hooks.ts'
import type { Db } from '../../db/pool.ts'
import { insertInSlot } from '../../db/slots.ts'
import type { GrantTx } from '../../messages/granting.ts'
import { hookColumns } from '../../messages/rows.ts'
import { walletBucket } from '../../values/bucket.ts'

const ofWallet = 'wbucket = $1 and walletaddr = $2'
const keyOf = (wallet: string) => [walletBucket(wallet), wallet]

type Row = Omit<IncomingHook, 'last_used'> & { last_used: string | null }

const shown = ({ last_used, ...row }: Row): IncomingHook => ({ ...row, ...(last_used && { last_used }) })

interface HookToStore {
  id: string
  hash: Buffer
  label: string
  nftaddr: string
}

/** Undefined when the wallet has as many as it may. */
export async function insertHook(
  tx: GrantTx<'incoming_hooks'>,
  wallet: string,
  hook: HookToStore,
): Promise<IncomingHook | undefined> {
  const slots = { table: 'incoming_hooks', most: mostIncomingHooks, columns: hookColumns } as const
  const stored = await insertInSlot<Row>(tx, slots, wallet, { ...hook, created_ms: tx.now() })
  return stored && shown(stored)
}

/** The hooks of a wallet, oldest first. */
export const findHooks = async (db: Db, wallet: string): Promise<IncomingHook[]> =>
  (
    await db.query<Row>(
      `select ${hookColumns} from incoming_hooks where ${ofWallet} order by created_ms, id`,
      keyOf(wallet),
    )
  ).map(shown)

/** Whether there was such a hook. */
export async function deleteHook(db: Db, wallet: string, id: string): Promise<boolean> {
  const deleted = await db.query(
    `delete from incoming_hooks where ${ofWallet} and id = $3 returning 1 as deleted`,
    [...keyOf(wallet), id],
  )
  return deleted.length > 0
}
