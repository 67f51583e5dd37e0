// Knows which wallets are bots. Every instance holds them in memory and reads new ones every 1.5 s, so a person's request needs
// no query. For a wallet that is in memory the table is queried again: the wallet may have been erased since.

import type { Logger } from 'pino'
import { coalesced } from '../db/coalesce.ts'
import type { Db } from '../db/pool.ts'
import { keepUp } from '../instances/polled-memory.ts'
import { alone, type Siblings } from '../instances/siblings.ts'

export interface Bots extends AsyncDisposable {
  isBot: (wallet: string) => Promise<boolean>
  /** Returns false of a wallet that is none, without a query and without waiting; true says that `isBot` finds out. */
  mayBeBot: (wallet: string) => boolean
  among: (wallets: readonly string[]) => Promise<ReadonlySet<string>>
  /** Makes a wallet a bot: on this machine at once, on others within two seconds. Returns whether it was none before. */
  mark: (wallet: string) => Promise<boolean>
  /** This is only for a wallet that is erased, or has not requested to be a bot. */
  unmark: (wallet: string) => Promise<void>
}

// A row may become visible later than its time, and rounds may fail while the database is away.
const recently = 600_000

interface Row {
  walletaddr: string
}

const findOne = coalesced<Row>('select walletaddr from bots where walletaddr = $1', ['text'], { atOnce: 32 })

/** All are loaded before this returns, so that no bot begins a conversation. */
export async function openBots(
  db: Db,
  log: Logger,
  siblings: Siblings = alone,
  refreshEvery?: number,
): Promise<Bots> {
  const known = new Set<string>()
  const read = async (since: number) => {
    const rows = await db.query<Row>('select walletaddr from bots where since_ms > $1', [since])
    for (const { walletaddr } of rows) known.add(walletaddr)
  }
  await read(0)
  const polling = keepUp('bots', log, siblings, () => read(db.now() - recently), refreshEvery)
  return {
    mayBeBot: (wallet) => known.has(wallet),
    async isBot(wallet) {
      if (!known.has(wallet)) return false
      const [row] = await findOne(db, [wallet])
      if (!row) known.delete(wallet)
      return row !== undefined
    },
    async among(wallets) {
      const maybe = wallets.filter((wallet) => known.has(wallet))
      if (maybe.length === 0) return new Set()
      const rows = await db.query<Row>('select walletaddr from bots where walletaddr = any($1::text[])', [
        maybe,
      ])
      const found = new Set(rows.map(({ walletaddr }) => walletaddr))
      for (const wallet of maybe) if (!found.has(wallet)) known.delete(wallet)
      return found
    },
    async mark(wallet) {
      const rows = await db.query(
        'insert into bots (walletaddr, since_ms) values ($1, $2) on conflict (walletaddr) do nothing returning walletaddr',
        [wallet, db.now()],
      )
      known.add(wallet)
      await siblings.ask('changed')
      return rows.length > 0
    },
    async unmark(wallet) {
      await db.query('delete from bots where walletaddr = $1', [wallet])
      known.delete(wallet)
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}
