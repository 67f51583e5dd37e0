// Reads from a hot standby (READ_DATABASE_URL), so that the primary does less. A standby shows what the primary has committed,
// some time later. The end of the primary's write-ahead log says what a read must show: a standby that has replayed the log up to
// there shows all of it.
//
// Each read first queries, on its own connection, how far the standby is, and whether it belongs to this primary. Any failure
// there makes the read go to the primary: the standby is away or too far behind, or cancels a statement because the rows that it
// reads are being removed.

import { setTimeout as sleep } from 'node:timers/promises'
import { measureDistance } from './standby-distance.ts'
import { createLag } from './standby-lag.ts'
import { connect, type Db, type Pool, withOwnLong } from './pool.ts'
import { endOfLog, openReplayed, type Replayed, toNumber } from './replayed.ts'

export interface Standby extends AsyncDisposable {
  /**
   * This is for one response: its reads show at least what was committed when the first of them began. They wait for that a tenth
   * of a second at most. Where the standby cannot be read, `primary` is; it also does everything else.
   */
  caughtUp: (primary: Db) => Db
  /** This is for a reader of the log, which also finds what the standby shows later. */
  follow: () => Following
}

export interface Following {
  /** Reads the standby as it is; the primary where that is away or seconds behind. */
  readonly db: Db
  /** The primary has written its log up to this position, such as `0/1D49F58`. */
  want: (position: string) => void
  /** Wants what the primary has committed until now; returns up to where its log goes. */
  wantAll: () => Promise<bigint>
  /** This is true when the last read did not yet show what is wanted. */
  readonly isBehind: boolean
  /** The last read has shown the log up to this position at least; it is undefined when that read has shown everything. */
  readonly shown: bigint | undefined
}

interface Log {
  info: (message: string) => void
  warn: (message: string) => void
}

/** A list or an export waits this many milliseconds for a standby that is behind. */
const patience = 100
/** When that was too short, no attempt follows for this many milliseconds. */
const rest = 5_000
/** The pool has this many connections for readers of the log, and as many for long reads. */
const size = 4

/** Opens the standby of a primary at `primaryUrl`. Nothing waits for it. */
export function openStandby(url: string, primary: Pool, primaryUrl: string, log: Log): Standby {
  const pool = connect(url, {
    layout: primary.layout,
    size,
    isStandby: true,
    onReach: (error) =>
      error
        ? log.warn(`the standby is out of reach, the primary is read: ${error.message}`)
        : log.info('the standby is back'),
  })
  const replayed = openReplayed(primaryUrl, (what) => log.warn(`${what}: the primary is read`))
  const distance = measureDistance(pool, primary, replayed)
  return {
    caughtUp: openCaughtUp(pool, primary, replayed),
    follow: () => follow(pool, primary, { replayed, log }),
    async [Symbol.asyncDispose]() {
      await distance[Symbol.asyncDispose]()
      await pool[Symbol.asyncDispose]()
    },
  }
}

function openCaughtUp(pool: Pool, primary: Db, replayed: Replayed): Standby['caughtUp'] {
  let restingUntil = 0

  async function waitFor(tx: Db, position: bigint): Promise<void> {
    const until = performance.now() + patience
    while ((await replayed(tx)) < position) {
      if (performance.now() > until) {
        restingUntil = performance.now() + rest
        throw new Error('the standby is behind')
      }
      await sleep(5)
    }
  }

  return (otherwise) => {
    let position: Promise<bigint> | undefined
    let isUsed = performance.now() >= restingUntil
    return withOwnLong({
      ...otherwise,
      async query<Row extends object>(sql: string, values?: unknown[], as?: 'bytes') {
        if (!isUsed) return otherwise.query<Row>(sql, values, as)
        try {
          const wanted = await (position ??= endOfLog(primary))
          return await pool.long.transaction(async (tx) => {
            await waitFor(tx, wanted)
            return tx.query<Row>(sql, values, as)
          })
        } catch {
          isUsed = false
          return otherwise.query<Row>(sql, values, as)
        }
      },
    })
  }
}

function follow(pool: Pool, primary: Db, { replayed, log }: { replayed: Replayed; log: Log }): Following {
  const lag = createLag((isTooLong) =>
    isTooLong
      ? log.warn('the standby is seconds behind: live events are read from the primary')
      : log.info('the standby has caught up'),
  )
  let isBehind = false
  let shown: bigint | undefined
  const db: Db = {
    ...primary,
    async query<Row extends object>(sql: string, values?: unknown[], as?: 'bytes') {
      try {
        const [rows, position] = await pool.transaction(async (tx) => {
          const reached = await replayed(tx)
          lag.learn(reached)
          if (lag.isTooLong) throw new Error('the standby is behind')
          return [await tx.query<Row>(sql, values, as), reached] as const
        })
        isBehind = lag.isWaiting
        shown = position
        return rows
      } catch {
        isBehind = false
        shown = undefined
        return primary.query<Row>(sql, values, as)
      }
    },
  }
  return {
    db,
    want: (position) => lag.want(toNumber(position)),
    async wantAll() {
      const position = await endOfLog(primary)
      lag.want(position)
      return position
    },
    get isBehind() {
      return isBehind
    },
    get shown() {
      return shown
    },
  }
}
