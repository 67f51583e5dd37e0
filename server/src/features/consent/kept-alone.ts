// A wallet may store a name or a mute for a contact before any message. Such contacts lie only with the wallet.

import type { Contact } from '@parley/sdk/contract/consent.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { contactOf, type Known, type Stance } from './contact.ts'

/** SQL for the stance of a wallet to some others, and whether their conversations have begun. */
export const stancesTo = `
  select b as peer, state_a as state, blocked_a as blocked, began_ms > 0 as begun from conversations
  where a = $1 and b = any($2::text[])
  union all
  select a, state_b, blocked_b, began_ms > 0 from conversations where b = $1 and a = any($2::text[])`

const withoutConversation = `
  select peer, alias, muted_until_ms, since_ms from contacts
  where ${ofWallet} and peer > $3 and ($6::text is null or peer <= $6) and (alias is not null or muted_until_ms > $4)
  order by peer limit $5`

const pageSize = 1000

/** Returns the contacts with a name or a mute and nothing else, before any message, in the order of addresses. */
export async function findWithoutConversation(
  db: Db,
  wallet: string,
  { limit, after, until = null }: { limit: number; after: string; until?: string | null },
): Promise<Contact[]> {
  const found: Contact[] = []
  for (let last = after; ;) {
    const values = keyOf(wallet, last, db.now(), pageSize, until)
    const rows = await db.query<Known & { peer: string }>(withoutConversation, values)
    if (rows.length === 0) return found
    const stances = await db.query<Stance & { peer: string; begun: boolean }>(stancesTo, [
      wallet,
      rows.map(({ peer }) => peer),
    ])
    const others = new Set(
      stances.filter(({ state, blocked, begun }) => begun || state !== 0 || blocked).map(({ peer }) => peer),
    )
    for (const one of rows)
      if (!others.has(one.peer)) found.push(contactOf(one.peer, { state: 0, blocked: false }, one, db.now()))
    if (rows.length < pageSize || found.length >= limit) return found
    last = rows.at(-1)!.peer
  }
}

/** Compares as the database orders addresses. */
export const inOrderOfBytes = (one: Contact, other: Contact) =>
  Buffer.compare(Buffer.from(one.peer), Buffer.from(other.peer))
