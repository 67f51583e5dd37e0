import type { ChainFacts } from '@parley/sdk/contract/trust.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import { nameOf } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'

export const day = 24 * 3_600_000

interface Known {
  name: string
  /** Null when it never signed in here. */
  first_ms: number | null
}

/** What the service itself knows of a wallet. */
export async function findKnown(db: Db, wallet: string): Promise<Known> {
  const [known] = await db.query<Known>(
    `select ${nameOf('$2')} as name, (select first_ms from wallets_seen where wbucket = $1 and address = $2) as first_ms`,
    [walletBucket(wallet), wallet],
  )
  return known!
}

/** Whether a wallet was erased, by its keyed hash. */
export const wasErased = async (db: Db, hash: Buffer): Promise<boolean> =>
  (await db.query('select 1 as one from erasures where wallet_hash = $1', [hash])).length > 0

/** What is read of a chain: of an address, or whether it holds a token. */
export type Facts = Omit<ChainFacts, 'chain' | 'checked_at'> | { holds: boolean }

interface Row {
  about: string
  facts: Facts
  ms: number
}

/** What was read of the chains about an address, by the ids of chains and the contracts of tokens. */
export const findFacts = (db: Db, address: string, about: string[]) =>
  db.query<Row>(
    'select about, facts, ms from chain_facts where wbucket = $1 and address = $2 and about = any($3::text[]) order by about',
    [walletBucket(address), address, about],
  )

export const storeFacts = (db: Db, address: string, about: string, facts: Facts) =>
  db.query(
    `insert into chain_facts (wbucket, address, about, facts, ms) values ($1, $2, $3, $4::jsonb, $5)
     on conflict (wbucket, address, about) do update set facts = excluded.facts, ms = excluded.ms`,
    [walletBucket(address), address, about, JSON.stringify(facts), db.now()],
  )

/** Has the chains asked in the background. While a job for an address waits, there is no second one. */
export const askLater = (db: Db, address: string, about: string[]) =>
  enqueue(db, 'read-chain-facts', { walletaddr: address, about }, { key: `read-chain-facts ${address}` })

/** Facts of addresses that nobody has asked for lately. */
export const deleteOldFacts = (db: Db) =>
  db.query('delete from chain_facts where ms < $1', [db.now() - 7 * day])
