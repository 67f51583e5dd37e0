import { createHash } from 'node:crypto'
import pg from 'pg'
import { minute } from '../lib/times.ts'
import { beingMoved, databaseError, databaseFailure } from './failures.ts'
import { watch } from './availability.ts'
import { newPool, settingsOfRequests } from './client.ts'
import { createClock, readClock } from './clock.ts'
import type { Layout } from './layout.ts'
import { measurePool } from '../telemetry/metrics.ts'
import { traceStatement, tracing } from '../telemetry/traces.ts'

/** Stores run their SQL on this: a pool, or one transaction of it. */
export interface Db {
  /**
   * Runs one statement, prepared once per connection. As bytes, every column must be text and comes
   * as a Buffer.
   */
  query<Row extends object>(sql: string, values?: unknown[], as?: 'bytes'): Promise<Row[]>
  /** Runs the work in a transaction that commits when `work` returns. Inside a transaction it joins that one. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Acts on the pool once this is committed, before `transaction` returns; outside of one at once. It must not fail. */
  afterCommit(act: AfterCommit): Promise<void>
  /**
   * This is for reads that may be long: it has a few connections of its own, and a shorter timeout for each statement. So short
   * reads and writes never wait for long ones. Inside a transaction it is that transaction.
   */
  readonly long: Db
  /** This is true in a transaction: what it does is not yet committed when it returns. */
  readonly inTransaction: boolean
  /** Returns milliseconds since 1970 by the clock of the database, for the times in statements. */
  readonly now: () => number
  /** The layout has what differs between one machine and a cluster (cluster/layout.ts). */
  readonly layout: Layout
  /** Returns the shard of a bucket, as far as it is known; it is undefined on one machine. */
  readonly shardOf: ((bucket: number) => number) | undefined
}

type AfterCommit = (db: Db) => Promise<void>

export interface Pool extends Db, AsyncDisposable {
  readonly inTransaction: false
  /** Reads the time of the database. From then on `now` follows its clock. */
  readonly learnTime: () => Promise<void>
}

const limits = { connectionTimeoutMillis: 1_900, idleTimeoutMillis: minute, keepAlive: true }
/** Long reads have this many connections. */
const longSize = 4

/**
 * After this many milliseconds without a response a statement fails here, whatever the server did with it, and its connection is
 * closed. This is a little more than the server's limit for a statement.
 */
export const silence = 32_000

interface PoolOptions {
  /** This must be the database's layout. */
  layout: Layout
  size?: number
  /** At most this many requests wait for a connection at once; the next one fails at once. */
  queue?: number
  /** This is called for each connection that breaks while idle; the pool replaces it by itself. */
  onError?: (error: Error) => void
  /**
   * This is called when the database is out of reach and when it is back. With it, no statement waits for a database that is
   * away.
   */
  onReach?: (error: Error | null) => void
  /** A statement has failed after this many milliseconds without a response; `silence` when left out. */
  patience?: number
  /** This is true when it may be a standby, which accepts no writes. */
  isStandby?: boolean
  /** Needs `onReach`, and is called when `layout` is no longer right. Then every statement fails, and only a new pool helps. */
  onMoved?: () => void
}

const textType: number = pg.types.builtins.TEXT

/** This is PostgreSQL's binary format, in which text is neither measured nor parsed. */
const bytesFormat = {
  binary: true,
  types: {
    getTypeParser: (type: number) => (value: Buffer) => {
      if (type !== textType) throw new TypeError('Every column must be text.')
      return value
    },
  },
}

/** Opens a pool of connections. Nothing is connected before the first query. */
export function connect(
  url: string,
  {
    layout,
    size = 16,
    queue = 10_000,
    onError = () => {},
    onReach,
    onMoved,
    isStandby = false,
    patience = silence,
  }: PoolOptions,
): Pool {
  const clients = new Set<pg.PoolClient>()
  const poolOf = (max: number, own = {}) => {
    const settings = { ...settingsOfRequests, ...layout.settings, ...own }
    // A pool has ended before its connections are closed: a server that stops then ends them itself.
    const made: pg.Pool = newPool({ url, name: 'parley', settings, max, ...limits, patience }, (error) => {
      if (!made.ending) onError(error)
    })
    return made
      .on('connect', (client) => void clients.add(client))
      .on('remove', (client) => void clients.delete(client))
  }
  const pool = poolOf(size)
  const longPool = poolOf(Math.min(size, longSize), { statement_timeout: '5s' })
  measurePool(isStandby ? 'standby' : 'primary', pool, longPool)

  let away: (Error & { code?: string }) | null = null
  const clock = createClock()
  const watcher =
    onReach &&
    watch({
      url,
      clients,
      isStandby,
      clock,
      layout: layout.name,
      onMoved,
      onReach: (error) => onReach((away = error)),
    })
  const known = { now: clock.now, layout, shardOf: layout.createShards?.((sql) => pool.query(sql)) }
  const dbOn = (on: pg.Pool) => {
    const room = () => {
      if (away) {
        const code = away.code === beingMoved ? beingMoved : '08006'
        throw databaseError(code, `the database is out of reach: ${away.message}`)
      }
      if (on.waitingCount >= queue) throw databaseError('53300', 'too many requests wait for a connection')
    }
    return {
      ...known,
      inTransaction: false as const,
      async query<Row extends object>(sql: string, values?: unknown[], as?: 'bytes') {
        room()
        return run<Row>(on, sql, values, as)
      },
      async transaction<T>(work: (tx: Db) => Promise<T>) {
        room()
        const later: AfterCommit[] = []
        const result = await inTransaction(on, known, later, work)
        for (const act of later) await act(outside)
        return result
      },
      afterCommit: (act: AfterCommit) => act(outside),
    }
  }
  const long = withOwnLong(dbOn(longPool))
  const outside: Pool = {
    ...dbOn(pool),
    long,
    learnTime: () => readClock(pool, clock),
    async [Symbol.asyncDispose]() {
      await watcher?.[Symbol.asyncDispose]()
      await Promise.all([pool.end(), longPool.end()])
    },
  }
  return outside
}

/**
 * Makes a Db whose long reads go over itself. It has no getter: V8 would make a hidden class for each object literal with one,
 * and hold it until the old space is collected.
 */
export function withOwnLong(db: Omit<Db, 'long'>): Db {
  const own = db as { -readonly [Name in keyof Db]: Db[Name] }
  own.long = own
  return own
}

async function inTransaction<T>(
  pool: pg.Pool,
  known: Pick<Db, 'now' | 'layout' | 'shardOf'>,
  later: AfterCommit[],
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const tx: Db = withOwnLong({
    ...known,
    inTransaction: true,
    query: (sql, values, as) => run(client, sql, values, as),
    transaction: (inner) => inner(tx),
    afterCommit: async (act) => void later.push(act),
  })
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(tx)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that does not respond, or cannot roll back, is useless.
    if (databaseFailure(error as Error) === 'silent') broken = error as Error
    else await client.query('rollback').catch((cause: Error) => (broken = cause))
    throw error
  } finally {
    client.release(broken)
  }
}

/** Runs one statement; Db.query describes it. */
async function run<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: unknown[] = [],
  as?: 'bytes',
): Promise<Row[]> {
  const ask = () => on.query<Row>({ name: nameOf(text), text, values, ...(as && bytesFormat) })
  const { rows } = await (tracing ? traceStatement(tracing, text, ask) : ask())
  return rows
}

const names = new Map<string, string>()

/** A statement's name follows from its text, so equal texts share one plan per connection. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = createHash('sha256').update(text).digest('base64url')))
  return name
}
