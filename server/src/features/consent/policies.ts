import type { DmPolicy, OwnDmPolicy } from '@parley/sdk/contract/dm-policy.ts'
import type { Db } from '../../db/pool.ts'
import { findPolicy, policyOf } from '../../messages/dm-policy.ts'

const textOf = ({ who, token }: DmPolicy) => (token ? `${who} ${token.chain} ${token.contract}` : who)

export async function getOwnPolicy(db: Db, wallet: string, dmDefault: string): Promise<OwnDmPolicy> {
  const chosen = await findPolicy(db, wallet)
  return { ...policyOf(chosen ?? dmDefault), ...(chosen === undefined && { is_default: true as const }) }
}

export const setPolicy = (db: Db, wallet: string, policy: DmPolicy) =>
  db.query(
    `insert into profiles (address, dm_policy) values ($1, $2)
     on conflict (address) do update set dm_policy = excluded.dm_policy`,
    [wallet, textOf(policy)],
  )
