import type { ChainFacts } from '@parley/sdk/contract/trust.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofAddress } from '../../db/own-rows.ts'
import { enqueue } from '../../jobs/queue.ts'
import { day } from '../../lib/times.ts'
import { nameOf } from '../../messages/shared-sql.ts'

interface Known {
  name: string
  /** The time of the first sign-in here; null when there was none. */
  first_ms: number | null
}

/** Returns what the service itself knows about a wallet. */
export async function findKnown(db: Db, wallet: string): Promise<Known> {
  const [known] = await db.query<Known>(
    `select ${nameOf('$2')} as name, (select first_ms from wallets_seen where ${ofAddress}) as first_ms`,
    keyOf(wallet),
  )
  return known!
}

/** Returns true when a wallet was erased, by its keyed hash. */
export const wasErased = async (db: Db, hash: Buffer): Promise<boolean> =>
  (await db.query('select 1 as one from erasures where wallet_hash = $1', [hash])).length > 0

/** Deletes the notes of erasures after two years. */
export const deleteOldErasures = (db: Db) =>
  db.query('delete from erasures where erased_ms < $1', [db.now() - 730 * day])

/** The facts that are read from a chain: about an address, or whether it holds a token. */
export type Facts = Omit<ChainFacts, 'chain' | 'checked_at'> | { holds: boolean }

interface Row {
  about: string
  facts: Facts
  ms: number
}

/** Returns what was read from the chains about an address, by the ids of chains and the contracts of tokens. */
export const findFacts = (db: Db, address: string, about: string[]) =>
  db.query<Row>(
    `select about, facts, ms from chain_facts where ${ofAddress} and about = any($3::text[]) order by about`,
    keyOf(address, about),
  )

export const storeFacts = (db: Db, address: string, about: string, facts: Facts) =>
  db.query(
    `insert into chain_facts (wbucket, address, about, facts, ms) values ($1, $2, $3, $4::jsonb, $5)
     on conflict (wbucket, address, about) do update set facts = excluded.facts, ms = excluded.ms`,
    keyOf(address, about, JSON.stringify(facts), db.now()),
  )

/** Enqueues queries of a wallet to the chains about another. While a job for both waits, there is no second one. */
export const askLater = (db: Db, wallet: string, peer: string, about: string[]) =>
  enqueue(
    db,
    'read-chain-facts',
    { walletaddr: wallet, peer, about },
    { key: `read-chain-facts ${wallet} ${peer}` },
  )

/** Deletes facts about addresses that nobody has requested lately. */
export const deleteOldFacts = (db: Db) =>
  db.query('delete from chain_facts where ms < $1', [db.now() - 7 * day])

/** Returns the teams of chats that a wallet is on, of some chats. */
export const findTeams = (db: Db, wallet: string, chats: string[]) =>
  db.query<{ chat: string; label: string; named_by: string }>(
    `select chat, label, named_by from chat_team where walletaddr = $1 and chat = any($2::text[]) order by chat limit 50`,
    [wallet, chats],
  )
