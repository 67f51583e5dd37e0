import { mostSessions, type WebSession } from '@parley/sdk/contract/sessions.ts'
import { instant } from '../../messages/shared-sql.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { minute } from '../../lib/times.ts'
import { idleSeconds, type SessionState } from './session-token.ts'

/**
 * For this many milliseconds the token before the current one gets the current one again: two tabs may renew at once, and a
 * response may be lost.
 */
const grace = minute

/**
 * Stores a new session. When the wallet has too many, those end that were unused for longest; their tokens are valid for an hour
 * at most.
 */
export async function insertSession(
  db: Db,
  wallet: string,
  browser: string,
  handedOver?: { by: string; signedIn: number },
): Promise<SessionState> {
  const state = { id: newId(), generation: 0 }
  await db.query(
    `insert into sessions (wbucket, walletaddr, id, browser, created_ms, used_ms, handed_by, signed_ms)
     values ($1, $2, $3, $4, $5, $5, $6, $7)`,
    keyOf(wallet, state.id, browser, db.now(), handedOver?.by ?? null, handedOver?.signedIn ?? null),
  )
  // This statement is separate and sees what others have stored meanwhile: of many at once the last one leaves as many as there
  // may be.
  await db.query(
    `delete from sessions where ${ofWallet} and id = any(array(
       select id from sessions where ${ofWallet} and origin is null order by used_ms desc, id offset $3))`,
    keyOf(wallet, mostSessions),
  )
  return state
}

interface Site {
  browser: string
  origin: string
  scopes: readonly string[]
  /** This is in milliseconds. */
  lifetime: number
}

/**
 * Stores a sign-in with scopes, which is listed until its token expires, and returns its id. When the wallet has too many, the
 * oldest are deleted: their tokens must end too.
 */
export async function insertSite(
  db: Db,
  wallet: string,
  { browser, origin, scopes, lifetime }: Site,
): Promise<{ id: string; ended: string[] }> {
  const id = newId()
  const now = db.now()
  await db.query(
    `insert into sessions (wbucket, walletaddr, id, browser, created_ms, used_ms, origin, scopes, expires_ms)
     values ($1, $2, $3, $4, $5, $5, $6, $7, $8)`,
    keyOf(wallet, id, browser, now, origin, scopes, now + lifetime),
  )
  const ended = await db.query<{ id: string }>(
    `delete from sessions where ${ofWallet} and id = any(array(
       select id from sessions where ${ofWallet} and origin is not null order by created_ms desc, id offset $3))
     returning id`,
    keyOf(wallet, mostSessions),
  )
  return { id, ended: ended.map((row) => row.id) }
}

/** A session, and when its wallet signed in, in epoch milliseconds. */
interface RenewedSession extends SessionState {
  signedIn: number
}

/**
 * Moves a session on to its next token. `ended`: it no longer exists. `reused`: its token was replaced before, so somebody has a
 * copy of it.
 */
export async function renewSession(
  db: Db,
  wallet: string,
  { id, generation }: SessionState,
): Promise<RenewedSession | 'ended' | 'reused'> {
  const key = keyOf(wallet, id)
  const since = db.now() - idleSeconds * 1000
  const [moved] = await db.query<{ signed_ms: number }>(
    `update sessions set generation = generation + 1, used_ms = greatest(used_ms, $5)
     where ${ofWallet} and id = $3 and generation = $4 and used_ms > $6 and origin is null
     returning coalesce(signed_ms, created_ms) as signed_ms`,
    [...key, generation, db.now(), since],
  )
  if (moved) return { id, generation: generation + 1, signedIn: moved.signed_ms }
  const [found] = await db.query<{ generation: number; used_ms: number; signed_ms: number }>(
    `select generation, used_ms, coalesce(signed_ms, created_ms) as signed_ms from sessions where ${ofWallet} and id = $3 and used_ms > $4`,
    [...key, since],
  )
  // A token of a later generation is from before a restore.
  if (!found || generation >= found.generation) return 'ended'
  const isRepeated = generation + 1 === found.generation && found.used_ms > db.now() - grace
  return isRepeated ? { id, generation: found.generation, signedIn: found.signed_ms } : 'reused'
}

type Row = Omit<WebSession, 'origin' | 'scopes' | 'expires_at' | 'handed_over_by'> & {
  handed_over_by: string | null
  origin: string | null
  scopes: string[] | null
  expires_at: string | null
}

/** Returns the sessions of a wallet, the one that was used last first, with the sites that have a token for some scopes. */
export async function findSessions(db: Db, wallet: string, current: string): Promise<WebSession[]> {
  const rows = await db.query<Row>(
    `select id, browser, ${instant('created_ms')} as created_at, ${instant('used_ms')} as used_at, id = $3 as current,
       handed_by as handed_over_by, origin, scopes, ${instant('expires_ms')} as expires_at
     from sessions where ${ofWallet} and coalesce(expires_ms > $5, used_ms > $4) order by used_ms desc, id`,
    keyOf(wallet, current, db.now() - idleSeconds * 1000, db.now()),
  )
  return rows.map(({ origin, scopes, expires_at, handed_over_by, ...session }) =>
    Object.assign(
      session,
      handed_over_by !== null && { handed_over_by },
      origin !== null && { origin, scopes: scopes!, expires_at: expires_at! },
    ),
  )
}

/** Returns true when there was such a session. The link by which it signs another browser in ends with it. */
export async function deleteSession(db: Db, wallet: string, id: string): Promise<boolean> {
  await db.query('delete from handovers where walletaddr = $1 and session = $2', [wallet, id])
  const deleted = await db.query(
    `delete from sessions where ${ofWallet} and id = $3 returning 1 as deleted`,
    keyOf(wallet, id),
  )
  return deleted.length > 0
}

/** Deletes sessions that have been idle for too long, and sites whose tokens have expired. */
export async function deleteIdleSessions(db: Db): Promise<void> {
  await db.query('delete from sessions where used_ms < $1', [db.now() - idleSeconds * 1000])
  await db.query('delete from sessions where expires_ms < $1', [db.now()])
}
