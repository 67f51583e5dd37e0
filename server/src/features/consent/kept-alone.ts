// Contacts of which a wallet keeps a name or a mute before any message. They lie with the wallet alone.

import type { Contact } from '@parley/sdk/contract/consent.ts'
import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { contactOf, type Known, type Stance } from './contact.ts'

/** What a wallet thinks of some others, and whether their conversations have begun. */
export const stancesTo = `
  select b as peer, state_a as state, blocked_a as blocked, began_ms > 0 as begun from conversations
  where a = $1 and b = any($2::text[])
  union all
  select a, state_b, blocked_b, began_ms > 0 from conversations where b = $1 and a = any($2::text[])`

const keptAlone = `
  select peer, alias, muted_until_ms, since_ms from contacts
  where wbucket = $1 and walletaddr = $2 and peer > $3 and (alias is not null or muted_until_ms > $4) order by peer limit $5`

const pageOfKept = 1000

/** Wallets of which a wallet keeps a name or a mute, and nothing else, before any message. In the order of addresses. */
export async function findKeptAlone(
  db: Db,
  wallet: string,
  limit: number,
  after: string,
): Promise<Contact[]> {
  const found: Contact[] = []
  for (let last = after; ;) {
    const values = [walletBucket(wallet), wallet, last, db.now(), pageOfKept]
    const kept = await db.query<Known & { peer: string }>(keptAlone, values)
    if (kept.length === 0) return found
    const stances = await db.query<Stance & { peer: string; begun: boolean }>(stancesTo, [
      wallet,
      kept.map(({ peer }) => peer),
    ])
    const others = new Set(
      stances.filter(({ state, blocked, begun }) => begun || state !== 0 || blocked).map(({ peer }) => peer),
    )
    for (const one of kept)
      if (!others.has(one.peer)) found.push(contactOf(one.peer, { state: 0, blocked: false }, one, db.now()))
    if (kept.length < pageOfKept || found.length >= limit) return found
    last = kept.at(-1)!.peer
  }
}

/** As the database orders addresses. */
export const inOrderOfBytes = (one: Contact, other: Contact) =>
  Buffer.compare(Buffer.from(one.peer), Buffer.from(other.peer))
