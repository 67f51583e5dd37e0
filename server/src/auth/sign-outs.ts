// Signing out everywhere. Each time a wallet does so it gets a new number, and a token carries the number its wallet had when it
// was issued: a token with a lesser one is good no more. Numbers rather than times, because clocks disagree and a JWT knows only
// whole seconds: whoever signs in again right after has a token that is good, wherever that was.
//
// Every instance holds the numbers of the last day in memory and asks for new ones every 1.5 s, so a token costs no query.

import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { repeat } from '../lib/repeat.ts'

export interface SignOuts extends AsyncDisposable {
  /** The number that a token issued now carries. */
  numberFor: (address: string) => Promise<number>
  /** Whether a token with this number has been signed out. */
  isOut: (address: string, number: number) => boolean
  /** Makes all tokens that the wallet has now good no more: here at once, elsewhere within seconds. */
  signOut: (address: string) => Promise<void>
}

const every = 1_500
// Tokens live for 24 hours. Memory forgets before the table does: otherwise a wallet could be given no number by the table and
// be refused for want of one by an instance that remembers.
const rememberedSeconds = 24.5 * 3600
const keptHours = 25

interface Row {
  walletaddr: string
  id: number
  /** Seconds since the sign-out, by the clock of the database. */
  age: number
}

const select = 'select walletaddr, id, extract(epoch from now() - at)::float8 as age from sign_outs'

/** Opens the memory of who has signed out. It is full before this returns: no old token gets a chance. */
export async function openSignOuts(db: Db, log: Logger): Promise<SignOuts> {
  const numbers = new Map<string, { id: number; until: number }>()
  const remember = (rows: Row[]) => {
    for (const { walletaddr, id, age } of rows)
      if (id > (numbers.get(walletaddr)?.id ?? 0))
        numbers.set(walletaddr, { id, until: performance.now() + (rememberedSeconds - age) * 1000 })
  }
  remember(await db.query<Row>(`${select} where at > now() - interval '${rememberedSeconds} s'`))

  let away = false
  const polling = repeat(every, async () => {
    try {
      remember(await db.query<Row>(recentlyOut))
      for (const [address, { until }] of numbers) if (until < performance.now()) numbers.delete(address)
      away = false
    } catch (error) {
      if (!away) log.warn(`sign-outs on other instances are not heard of: ${(error as Error).message}`)
      away = true
    }
  })
  return {
    numberFor: async (address) => (await db.query<Row>(lastSignOut, [address]))[0]?.id ?? 0,
    isOut: (address, number) => number < (numbers.get(address)?.id ?? 0),
    signOut: async (address) => remember(await db.query<Row>(signOutNow, [address])),
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}

// A row may become visible later than its time, and rounds may be missed while the database is away.
const recentlyOut = `${select} where at > now() - interval '10 minutes'`

const lastSignOut = `${select} where walletaddr = $1`

const signOutNow = `
  insert into sign_outs as s (walletaddr) values ($1)
  on conflict (walletaddr) do update set id = greatest(s.id, excluded.id), at = excluded.at
  returning walletaddr, id, 0 as age`

/** Forgets sign-outs against tokens that have expired since. */
export const deleteOldSignOuts = (db: Db) =>
  db.query(`delete from sign_outs where at < now() - interval '${keptHours} hours'`)
