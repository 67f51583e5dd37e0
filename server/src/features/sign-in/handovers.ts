// Stores the hand-over of a wallet into a second browser: one at a time, for five minutes. The link has a code, of which only a hash
// is here. The browser that opens it first makes a secret (its claim) and gets a number, which is chosen in the browser that has
// made the link. Only then the holder of the claim gets a session. Whatever goes wrong ends the hand-over.

import { createHash, randomInt } from 'node:crypto'
import { coalesced } from '../../db/coalesce.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import { minute } from '../../lib/times.ts'
import type { GrantTx } from '../../messages/add-grant.ts'
import type { SessionState } from './session-token.ts'
import { insertSession } from './sessions.ts'

const lifetime = 5 * minute

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

interface Made {
  /** The SHA-256 of the code, in base64url. */
  codeHash: string
  /** The session that makes it. */
  session: string
  signedIn: number
}

/** Returns when it ends; undefined where the caller has no session of a browser. A repetition gets the same. */
export async function insertHandover(
  tx: GrantTx<'handovers'>,
  wallet: string,
  { codeHash, session, signedIn }: Made,
): Promise<number | undefined> {
  const [own] = await tx.query<{ browser: string }>(
    `select browser from sessions where ${ofWallet} and id = $3 and origin is null`,
    keyOf(wallet, session),
  )
  if (!own) return undefined
  const hash = Buffer.from(codeHash, 'base64url')
  const [stored] = await tx.query<{ expires_ms: number }>(
    `insert into handovers as h (walletaddr, code_hash, expires_ms, session, browser, signed_ms)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (walletaddr) do update set
       code_hash = excluded.code_hash, expires_ms = excluded.expires_ms, session = excluded.session,
       browser = excluded.browser, signed_ms = excluded.signed_ms,
       claim_hash = null, opener = null, number = null, numbers = null, is_confirmed = false, sealed = null, given = null
     where h.code_hash <> excluded.code_hash
     returning expires_ms`,
    [wallet, hash, tx.now() + lifetime, session, own.browser, signedIn],
  )
  if (stored) return stored.expires_ms
  const [repeated] = await tx.query<{ expires_ms: number }>(
    'select expires_ms from handovers where walletaddr = $1 and code_hash = $2',
    [wallet, hash],
  )
  return repeated?.expires_ms
}

/** What the browser that has made it may know. */
export interface OwnHandover {
  expires_ms: number
  opener: string | null
  numbers: number[] | null
  is_confirmed: boolean
  is_given: boolean
}

const ownHandover = coalesced<OwnHandover>(
  `select expires_ms, opener, numbers, is_confirmed, given is not null as is_given
   from handovers where walletaddr = $1 and session = $2 and expires_ms > $3`,
  ['text', 'text', 'bigint'],
  { atOnce: 50 },
)

/** Returns the hand-over that a session of the wallet has made. */
export const getOwn = async (db: Db, wallet: string, session: string): Promise<OwnHandover | undefined> =>
  (await ownHandover(db, [wallet, session, db.now()]))[0]

export const deleteHandover = (db: Db, wallet: string) =>
  db.query('delete from handovers where walletaddr = $1', [wallet])

/**
 * Confirms a hand-over that was opened, by the number that the new browser shows. A wrong one ends it. A repetition of the right one
 * has no effect.
 */
export const confirm = (
  db: Db,
  wallet: string,
  { session, number, sealed }: { session: string; number: number; sealed: string | undefined },
): Promise<'confirmed' | 'wrong' | 'none'> =>
  db.transaction(async (tx) => {
    const [found] = await tx.query<{ number: number | null }>(
      'select number from handovers where walletaddr = $1 and session = $2 and expires_ms > $3 for update',
      [wallet, session, tx.now()],
    )
    if (!found || found.number === null) return 'none'
    if (found.number !== number) {
      await deleteHandover(tx, wallet)
      return 'wrong'
    }
    await tx.query(
      `update handovers set is_confirmed = true, sealed = case when is_confirmed then sealed else $2 end
       where walletaddr = $1`,
      [wallet, sealed ?? null],
    )
    return 'confirmed'
  })

export interface Opened {
  walletaddr: string
  browser: string
  number: number
  expires_ms: number
}

interface Found extends Omit<Opened, 'number'> {
  number: number | null
  is_same: boolean | null
}

/**
 * Opens a link for the browser that has made this claim. A second browser ends it for both: one of the two is a stranger, and nobody
 * knows which.
 */
export const open = (
  db: Db,
  { code, claim, browser }: { code: string; claim: string; browser: string },
): Promise<Opened | undefined> =>
  db.transaction(async (tx) => {
    const [found] = await tx.query<Found>(
      `select walletaddr, browser, number, expires_ms, claim_hash = $3 as is_same
       from handovers where code_hash = $1 and expires_ms > $2 for update`,
      [hashOf(code), tx.now(), hashOf(claim)],
    )
    if (!found) return undefined
    const { is_same: isSame, ...opened } = found
    if (opened.number !== null) {
      if (isSame) return { ...opened, number: opened.number }
      await deleteHandover(tx, opened.walletaddr)
      return undefined
    }
    const numbers = threeNumbers()
    const number = numbers[randomInt(numbers.length)]!
    await tx.query(
      'update handovers set claim_hash = $2, opener = $3, number = $4, numbers = $5 where walletaddr = $1',
      [opened.walletaddr, hashOf(claim), browser, number, numbers],
    )
    return { ...opened, number }
  })

/** Returns three different numbers of two digits. */
function threeNumbers(): number[] {
  const numbers = new Set<number>()
  while (numbers.size < 3) numbers.add(randomInt(10, 100))
  return [...numbers]
}

const claimed = coalesced<{ walletaddr: string; is_confirmed: boolean }>(
  'select walletaddr, is_confirmed from handovers where claim_hash = $1 and expires_ms > $2',
  ['bytea', 'bigint'],
  { atOnce: 50 },
)

/** Returns the hand-over of a claim. */
export const getClaimed = async (db: Db, claim: string) => (await claimed(db, [hashOf(claim), db.now()]))[0]

export interface Taken {
  state: SessionState
  signedIn: number
  sealed: string | null
  /** The kind of the new browser. */
  opener: string
  isNew: boolean
}

/** Gives the holder of a claim its session; again, while the session was not renewed yet: an answer may be lost. */
export async function take(
  tx: GrantTx<'handovers'>,
  wallet: string,
  claim: string,
): Promise<Taken | undefined> {
  const [found] = await tx.query<{
    browser: string
    opener: string
    signed_ms: number
    sealed: string | null
    given: string | null
  }>(
    `select browser, opener, signed_ms, sealed, given from handovers
     where walletaddr = $1 and claim_hash = $2 and is_confirmed and expires_ms > $3 for update`,
    [wallet, hashOf(claim), tx.now()],
  )
  if (!found) return undefined
  const { browser, opener, signed_ms: signedIn, sealed, given } = found
  const of = { signedIn, sealed, opener }
  if (given !== null) {
    const [session] = await tx.query(
      `select id from sessions where ${ofWallet} and id = $3 and generation = 0`,
      keyOf(wallet, given),
    )
    return session && { ...of, state: { id: given, generation: 0 }, isNew: false }
  }
  const state = await insertSession(tx, wallet, opener, { by: browser, signedIn })
  await tx.query('update handovers set given = $2 where walletaddr = $1', [wallet, state.id])
  return { ...of, state, isNew: true }
}

export const deleteExpiredHandovers = (db: Db) =>
  db.query('delete from handovers where expires_ms < $1', [db.now()])
