import type { DmPolicy, OwnDmPolicy } from '@parley/sdk/contract/dm-policy.ts'
import type { Db } from '../../db/pool.ts'

// It lies in `profiles`, which a send reads anyway: a word, and for holders a chain and a contract.

const textOf = ({ who, token }: DmPolicy) => (token ? `${who} ${token.chain} ${token.contract}` : who)

const findPolicy = async (db: Db, wallet: string): Promise<string | undefined> => {
  const [row] = await db.query<{ dm_policy: string | null }>(
    'select dm_policy from profiles where address = $1',
    [wallet],
  )
  return row?.dm_policy ?? undefined
}

function policyOf(text: string): DmPolicy {
  const [who, chain, contract] = text.split(' ') as [DmPolicy['who'], string?, string?]
  return { who, ...(contract !== undefined && { token: { chain: Number(chain), contract } }) }
}

export const getPolicy = async (db: Db, wallet: string, dmDefault: string): Promise<DmPolicy> =>
  policyOf((await findPolicy(db, wallet)) ?? dmDefault)

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
