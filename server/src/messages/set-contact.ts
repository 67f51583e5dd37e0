import type { Db } from '../db/pool.ts'
import { keyOf } from '../db/own-rows.ts'
import { pairBucket } from '../values/bucket.ts'
import { eventJson } from './events.ts'

/** These are the changes of a contact; a missing field stays as it is. */
interface Change {
  state?: number | undefined
  blocked?: boolean | undefined
  alias?: string | null | undefined
  /** Null unmutes. */
  mutedUntil?: number | null | undefined
}

/**
 * Changes a contact of a wallet, which may have at most `most` contacts. Returns the new contact; nothing where there is no room
 * for it.
 */
export async function setContact<Row extends object>(
  db: Db,
  wallet: string,
  peer: string,
  { state, blocked, alias, mutedUntil }: Change,
  most: number,
): Promise<Row | undefined> {
  const changed = db.query<Row>(
    `select state, blocked, alias, muted_until_ms, since_ms
     from set_contact_v1($1, $2, $3, $4, $5, $6::smallint, $7, $8, $9, $10, $11, $12, $13)`,
    [
      db.now(),
      pairBucket(wallet, peer),
      ...keyOf(wallet),
      peer,
      state ?? null,
      blocked ?? null,
      alias !== undefined,
      alias ?? null,
      mutedUntil !== undefined,
      mutedUntil ?? null,
      most,
      // The function fills in what the values are now.
      eventJson({ type: 'contact', peer, state: 'unknown', muted_until: null }),
    ],
  )
  const [row] = await db.layout.copies.changing(db, [wallet, peer], changed)
  return row
}
