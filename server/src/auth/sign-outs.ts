// Signs out a wallet everywhere, or one session or token of it. Each time a wallet signs out everywhere it gets a new number. A
// token contains the number that its wallet had when the token was issued; a token with a lower number is no longer valid. These
// are numbers rather than times, because clocks disagree and a JWT has only whole seconds: a wallet that signs in again right
// after it has a valid token, on any instance. The id of a session or token that has signed out is stored in the same way.
//
// Every instance holds the numbers of the last day in memory and reads new ones every 1.5 s, so checking a token needs no query.
// The processes of one machine read them at once.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { keepUp } from '../instances/polled-memory.ts'
import { alone, type Siblings } from '../instances/siblings.ts'
import { hour } from '../lib/times.ts'

export interface SignOuts extends AsyncDisposable {
  /** Returns the number for a token that is issued now. */
  numberFor: (address: string) => Promise<number>
  isOut: (token: Signed) => boolean
  /**
   * Ends all tokens that a wallet has now, or those of the session or token with this id: on this
   * machine at once, on others within seconds.
   */
  signOut: (who: string) => Promise<void>
  /** Reads now on this machine what other instances and transactions have ended. */
  refresh: () => Promise<void>
}

/** This is the part of a token that says who can sign it out. */
export interface Signed {
  /** This is the wallet, in canonical form. */
  address: string
  /** This is the number of sign-outs that its wallet had. */
  signOut: number
  /** This is the id of its session, or its own. */
  session: string
}

// Tokens live for 24 hours. The table stores numbers longer than the memory of an instance: otherwise a new token could get no
// number from the table, and be refused by an instance that still remembers one.
const remembered = 24.5 * hour
const lifetime = 25 * hour

interface Row {
  who: string
  id: number
  ms: number
}

const select = 'select who, id, ms from sign_outs'

/**
 * Opens the memory of sign-outs. All are loaded before this returns, so that no old token is
 * accepted.
 */
export async function openSignOuts(
  db: Db,
  log: Logger,
  siblings: Siblings = alone,
  refreshEvery?: number,
): Promise<SignOuts> {
  const numbers = new Map<string, { id: number; until: number }>()
  const remember = (rows: Row[]) => {
    for (const { who, id, ms } of rows)
      if (id > (numbers.get(who)?.id ?? 0))
        numbers.set(who, { id, until: performance.now() + ms + remembered - db.now() })
  }
  remember(await db.query<Row>(`${select} where ms > $1`, [db.now() - remembered]))

  const read = async () => {
    remember(await db.query<Row>(`${select} where ms > $1`, [db.now() - recently]))
    for (const [who, { until }] of numbers) if (until < performance.now()) numbers.delete(who)
  }
  const polling = keepUp('sign-outs', log, siblings, read, refreshEvery)
  return {
    numberFor: (address) => signOutNumber(db, address),
    isOut: ({ address, signOut, session }) =>
      signOut < (numbers.get(address)?.id ?? 0) || numbers.has(session),
    async signOut(who) {
      remember(await db.query<Row>(signOutNow, [who, db.now()]))
      await siblings.ask('changed')
    },
    async refresh() {
      await polling.refresh()
      await siblings.ask('changed')
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}

// A row may become visible later than its time, and rounds may fail while the database is away.
const recently = 600_000

const lastSignOut = `${select} where who = $1`

const signOutNow = `
  insert into sign_outs as s (who, ms) values ($1, $2)
  on conflict (who) do update set id = greatest(s.id, excluded.id), ms = greatest(s.ms, excluded.ms)
  returning who, id, ms`

/** Ends all tokens that a wallet has now, once the transaction is committed and instances have read it. */
export const numberSignOut = (tx: Db, wallet: string) => tx.query(signOutNow, [wallet, tx.now()])

export const signOutNumber = async (db: Db, wallet: string): Promise<number> =>
  (await db.query<Row>(lastSignOut, [wallet]))[0]?.id ?? 0

/** Deletes sign-outs older than any valid token. */
export const deleteOldSignOuts = (db: Db) =>
  db.query('delete from sign_outs where ms < $1', [db.now() - lifetime])
