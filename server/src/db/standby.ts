// Reads from a hot standby (READ_DATABASE_URL), so that the primary does less. A standby shows what
// the primary has committed, some time later. Where the primary's write-ahead log ended says how
// much a read has to show: a standby that has replayed the log up to there shows all of it.
//
// Each read asks first, on its own connection, how far the standby is, and whether it is one of this
// primary. Whatever goes wrong there, the primary is read: the standby is away or too far behind, or
// cancels a statement because what the statement reads is being removed.

import { setTimeout as sleep } from 'node:timers/promises'
import { measureDistance } from './distance.ts'
import { createLag } from './lag.ts'
import { connect, type Db, type Pool } from './pool.ts'
import { endOfLog, openReplayed, type Replayed, toNumber } from './replayed.ts'

export interface Standby extends AsyncDisposable {
  /**
   * For one answer: its reads show at least what was committed when the first of them began. They
   * wait for that a tenth of a second at most. `primary` is read where the standby cannot be, and does
   * everything else.
   */
  caughtUp: (primary: Db) => Db
  /** For a reader of the log, which also finds what the standby shows later. */
  follow: () => Following
}

export interface Following {
  /** Reads the standby as it is; the primary where that is away or seconds behind. */
  readonly db: Db
  /** The primary has written its log up to this position, such as `0/1D49F58`. */
  want: (position: string) => void
  /** Wants what the primary has committed until now; returns up to where its log goes. */
  wantAll: () => Promise<bigint>
  /** What is wanted was not there yet at the last read. */
  readonly isBehind: boolean
  /** The last read has shown the log up to this position at least; undefined when it has shown all there was. */
  readonly shown: bigint | undefined
}

interface Log {
  info: (message: string) => void
  warn: (message: string) => void
}

/** Milliseconds that a list or an export waits for a standby that is behind. */
const patience = 100
/** Milliseconds without another attempt after that was too short. */
const rest = 5_000
/** Connections for readers of the log, and as many for long reads. */
const size = 4

/** Opens the standby of a primary at `primaryUrl`. Nothing waits for it. */
export function openStandby(url: string, primary: Pool, primaryUrl: string, log: Log): Standby {
  const pool = connect(url, {
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
    const db: Db = {
      ...otherwise,
      get long() {
        return db
      },
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
    }
    return db
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
