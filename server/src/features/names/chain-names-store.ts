import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { enqueue } from '../../jobs/queue.ts'
import { day, minute } from '../../lib/times.ts'

export interface ChainNameRow {
  address: string
  /** It is null when the wallet has no name, and before the chains have answered. */
  name: string | null
  /** The wallet has the name on this chain. */
  chain: number | null
  /** The chains have answered at this time. */
  named_ms: number | null
  asked_ms: number
  /** Until this time nobody asks again. */
  again_ms: number
}

/** A name for which no chain has answered is not asked for again before this time. */
const pause = 10 * minute

export const findChainNames = (db: Db, addresses: string[]) =>
  db.query<ChainNameRow>(
    'select address, name, chain, named_ms, asked_ms, again_ms from chain_names where address = any($1::text[])',
    [addresses],
  )

/**
 * Has a job ask for the names of wallets, of those alone for which no other request does at the moment, on any instance. Returns
 * them. A job that is lost is made up for after the pause.
 */
export async function askLater(db: Db, wallet: string, addresses: string[]): Promise<string[]> {
  if (addresses.length === 0) return []
  const now = db.now()
  return db.transaction(async (tx) => {
    const claimed = await tx.query<{ address: string }>(
      `insert into chain_names (address, asked_ms, again_ms) select one, $2, $3 from unnest($1::text[]) one order by one collate "C"
       on conflict (address) do update set asked_ms = excluded.asked_ms, again_ms = excluded.again_ms
       where chain_names.again_ms <= $2 returning address`,
      [addresses, now, now + pause],
    )
    const asked = claimed.map(({ address }) => address)
    if (asked.length > 0) await enqueue(tx, 'read-chain-names', { walletaddr: wallet, addresses: asked })
    return asked
  })
}

/** Stores what the chains say. An account that was erased meanwhile has no row, and gets none. */
export const storeChainName = (
  db: Db,
  address: string,
  { name, chain }: { name?: string | undefined; chain?: number | undefined },
  lifetime: number,
) =>
  db.query('update chain_names set name = $2, chain = $3, named_ms = $4, again_ms = $5 where address = $1', [
    address,
    name ?? null,
    chain ?? null,
    db.now(),
    db.now() + lifetime,
  ])

/** Deletes names for which nobody has asked again for a day. */
export const deleteOldChainNames = (db: Db) =>
  db.query('delete from chain_names where again_ms < $1', [db.now() - day])

export const deleteChainName = (tx: Db, wallet: string) =>
  tx.query('delete from chain_names where address = $1', [wallet])

/** At most this many names that a wallet has given others are compared, so that a call costs about the same for everybody. */
const mostAliases = 1_000

/** Returns the names that a wallet has given others, the latest first. */
export const findAliases = (db: Db, wallet: string) =>
  db.query<{ peer: string; alias: string }>(
    `select peer, alias from contacts where ${ofWallet} and alias is not null order by since_ms desc limit ${mostAliases}`,
    keyOf(wallet),
  )

/** Returns the wallets whose names on this service look like these. */
export const findBySkeleton = (db: Db, skeletons: string[]) =>
  db.query<{ skeleton: string; address: string }>(
    'select skeleton, address from name_skeletons where skeleton = any($1::text[])',
    [skeletons],
  )
