// These tests read the log as a hot standby shows it, while transactions run on the primary. A reader may even change from one to
// the other.

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startPostgresPair } from '../../../testing/service/postgres.ts'
import { layouts } from './layout.ts'
import { connect, type Db, type Pool } from '../db/pool.ts'
import { lastIdOf, numberOfId } from '../values/bucket.ts'
import { machineLog } from './log.ts'

const stack = new AsyncDisposableStack()
let primary: Pool
let standby: Pool
let writers: Writer[]

beforeAll(async () => {
  const pair = stack.use(await startPostgresPair())
  primary = stack.use(connect(pair.primaryUrl, { layout: layouts.machine }))
  standby = stack.use(connect(pair.standbyUrl, { layout: layouts.machine }))
  writers = await Promise.all([1, 2, 3, 4].map(() => openWriter(pair.primaryUrl)))
})
afterEach(async () => void (await Promise.all(writers.map((writer) => writer.end(false)))))
afterAll(() => stack.disposeAsync())

/** Opens a transaction that draws the ids of its items long before it writes them. */
async function openWriter(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  stack.defer(() => client.end())
  let drawn: number[] | undefined
  return {
    get pending() {
      return drawn ?? []
    },
    /** From now on the transaction has its number (xid). */
    async begin() {
      if (drawn) return
      drawn = []
      await client.query('begin')
      await client.query('select draw_ids_v1(0, array[0])')
    },
    async draw() {
      const { rows } = drawn
        ? await client.query<{ id: number }>('select next_id_v1(0, null) as id')
        : { rows: [] }
      drawn?.push(...rows.map(({ id }) => id))
    },
    /** Returns what was written. */
    async end(commit: boolean): Promise<number[]> {
      const ids = drawn
      if (!ids) return []
      if (commit)
        await client.query(
          `insert into events (bucket, id, walletaddr, event, ms) select 0, id, 'a', '{}', 0 from unnest($1::bigint[]) id`,
          [ids],
        )
      await client.query(commit ? 'commit' : 'rollback')
      drawn = undefined
      return commit ? ids : []
    },
  }
}

type Writer = Awaited<ReturnType<typeof openWriter>>

/** Opens a reader of the log that begins on the standby, and records what it has found. */
async function openReader() {
  let on: Db = standby
  const db: Db = { ...standby, query: (sql, values, as) => on.query(sql, values, as) }
  const tail = await machineLog.openTail(db)
  const found: number[] = []
  return {
    found,
    tail,
    poll: async (from: Db): Promise<void> => {
      on = from
      const batch = await tail.poll()
      found.push(...batch.found.map(({ item }) => item.id))
      expect(batch.lost).toBe(false)
    },
  }
}

async function untilReplayed(): Promise<void> {
  const [now] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  const hasReplayed = async () => {
    const replayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is'
    return (await standby.query<{ is: boolean }>(replayed, [now!.lsn]))[0]!.is
  }
  await expect.poll(hasReplayed, { interval: 2 }).toBe(true)
}

test('a standby waits for an id whose transaction has written nothing yet', async () => {
  const [early, late] = writers as [Writer, Writer]
  // The sequence writes to the log once for many numbers: it does not for the numbers below.
  await early.begin()
  await early.draw()
  await early.end(true)
  await untilReplayed()
  const { poll, found, tail } = await openReader()
  await early.begin()
  await late.begin()
  await late.draw()
  await early.draw()
  const [waiting] = late.pending
  const [seen] = await early.end(true)
  await untilReplayed()
  for (let polls = 0; polls < 3; polls++) await poll(standby)
  expect(found).toEqual([seen])
  expect(tail.position).toBeLessThan(waiting!)
  await late.end(true)
  await untilReplayed()
  await poll(standby)
  expect(found).toEqual([seen, waiting])
  expect(tail.position).toBe(lastIdOf(numberOfId(seen!)))
})

const which = fc.nat(3)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('draw' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), which, commit: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('poll' as const), ofPrimary: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'wait' as const }) },
)

test('a reader that changes between a standby and the primary finds each item once, and its position is never too far', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await untilReplayed()
      const { poll, found, tail } = await openReader()
      const written: number[] = []
      for (const s of steps) {
        if (s.do === 'wait') await untilReplayed()
        else if (s.do === 'poll') {
          await poll(s.ofPrimary ? primary : standby)
          const missing = written.filter((id) => !found.includes(id))
          for (const id of [...writers.flatMap(({ pending }) => pending), ...missing])
            expect(id).toBeGreaterThan(tail.position!)
        } else if (s.do === 'end') written.push(...(await writers[s.which]!.end(s.commit)))
        else await writers[s.which]![s.do]()
      }
      for (const writer of writers) written.push(...(await writer.end(true)))
      await poll(standby)
      await untilReplayed()
      await poll(standby)
      expect(found.toSorted((a, b) => a - b)).toEqual(written.toSorted((a, b) => a - b))
    }),
    { numRuns: 60 },
  )
})
