// Says from whom a wallet takes direct messages. It lies in `profiles`, which a send reads anyway: a word, and for holders a chain
// and a contract.

import type { DmPolicy } from '@parley/sdk/contract/dm-policy.ts'
import type { Db } from '../db/pool.ts'

export const findPolicy = async (db: Db, wallet: string): Promise<string | undefined> => {
  const [row] = await db.query<{ dm_policy: string | null }>(
    'select dm_policy from profiles where address = $1',
    [wallet],
  )
  return row?.dm_policy ?? undefined
}

export function policyOf(text: string): DmPolicy {
  const [who, chain, contract] = text.split(' ') as [DmPolicy['who'], string?, string?]
  return { who, ...(contract !== undefined && { token: { chain: Number(chain), contract } }) }
}

export const getPolicy = async (db: Db, wallet: string, dmDefault: string): Promise<DmPolicy> =>
  policyOf((await findPolicy(db, wallet)) ?? dmDefault)
