import { setTimeout as delay } from 'node:timers/promises'
import type { CronItem } from 'graphile-worker'
import { beforeEach, expect, test, vi } from 'vitest'
import { migrateAll } from './migrate.ts'
import { newDatabase, openPool } from '../../../testing/service/database.ts'
import { type Service, useService } from '../../../testing/service/service.ts'
import type { Context } from '../context.ts'
import { enqueue } from './queue.ts'
import { startJobs } from './runner.ts'
import type { Job, Tasks } from './tasks.ts'

const service = useService()
beforeEach(() => service.ctx.db.query('delete from graphile_worker._private_jobs'))

type Work = (payload: { n: number }, job: Job) => Promise<unknown>

/** Starts an instance that does one task, with a function of the test. */
const start = ({ ctx, databaseUrl }: Service, work: Work, crontab: CronItem[] = []) =>
  startJobs(ctx, databaseUrl, {
    tasks: {
      'forget-expired': (_ctx, payload, job) => work(payload as { n: number }, job),
    } as Tasks<Context>,
    crontab,
  })

const add = ({ ctx }: Service, n: number, db = ctx.db) => enqueue(db, 'forget-expired', { n })

const waiting = ({ ctx }: Service) =>
  ctx.db.query<{ attempts: number; locked_at: Date | null }>(
    'select attempts, locked_at from graphile_worker._private_jobs',
  )

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

test('a job is done if and only if its transaction is committed', async () => {
  const done: number[] = []
  await using _jobs = start(service, async ({ n }) => done.push(n))
  await service.ctx.db.transaction(async (tx) => {
    await add(service, 1, tx)
    await delay(100)
    expect(done).toEqual([])
  })
  await eventually(() => expect(done).toEqual([1]))
  const failed = service.ctx.db.transaction(async (tx) => {
    await add(service, 2, tx)
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  await add(service, 3)
  await eventually(() => expect(done).toEqual([1, 3]))
})

test('instances share the work, and each job is done once', async () => {
  const done: number[] = []
  const work: Work = async ({ n }) => done.push(n)
  await using _one = start(service, work)
  await using _two = start(service, work)
  const all = Array.from({ length: 60 }, (_, n) => n)
  await Promise.all(all.map((n) => add(service, n)))
  await eventually(async () => expect(await waiting(service)).toEqual([]))
  expect(done.toSorted((a, b) => a - b)).toEqual(all)
})

test('stopping lets a job finish, and hands one back that takes long', async () => {
  const done: number[] = []
  const begun: number[] = []
  const stopped = start(service, async ({ n }, { signal }) => {
    begun.push(n)
    if (n === 1) await delay(300)
    else await delay(60_000, undefined, { signal })
    done.push(n)
  })
  await add(service, 1)
  await add(service, 2)
  await eventually(() => expect(begun).toHaveLength(2))
  const before = Date.now()
  await stopped[Symbol.asyncDispose]()
  expect(Date.now() - before).toBeLessThan(6_000)
  expect(done).toEqual([1])
  expect(await waiting(service)).toEqual([{ attempts: 1, locked_at: null }])
  await service.ctx.db.query('update graphile_worker._private_jobs set run_at = now()')
  await using _next = start(service, async ({ n }) => done.push(n))
  await eventually(() => expect(done).toEqual([1, 2]))
})

test('jobs go on after the database has dropped its connections in the middle of one', async () => {
  const done: number[] = []
  await using _jobs = start(service, async ({ n }) => {
    if (n === 1 && !done.includes(1))
      await service.ctx.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley jobs' and datname = current_database()`,
      )
    done.push(n)
  })
  await add(service, 1)
  await eventually(() => expect(done).toContain(1))
  await add(service, 2)
  await eventually(() => expect(done).toContain(2))
  await eventually(async () => expect(await waiting(service)).toEqual([]))
})

test('a job whose end could not be recorded is done again, and the others go on', async () => {
  const done: number[] = []
  await using _jobs = start(service, async ({ n }) => {
    if (n === 1 && !done.includes(1))
      await service.ctx.db.query('alter table graphile_worker._private_jobs rename to out_of_reach')
    done.push(n)
  })
  await add(service, 1)
  await eventually(() => expect(done).toEqual([1]))
  await delay(500)
  await service.ctx.db.query('alter table graphile_worker.out_of_reach rename to _private_jobs')
  await add(service, 2)
  await eventually(async () => expect(await waiting(service)).toEqual([]))
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 1, 2])
})

test('a scheduled job that was due while no instance ran is done once afterwards, by one of them', async () => {
  const done: object[] = []
  const work: Work = async (payload) => done.push(payload)
  const options = { backfillPeriod: 90_000, jobKey: 'forget-expired' }
  const crontab = [{ task: 'forget-expired', match: '* * * * *', options }]
  await service.ctx.db.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('forget-expired', now() - interval '1 hour', now() - interval '1 hour')
     on conflict (identifier) do update set last_execution = excluded.last_execution`,
  )
  await using _one = start(service, work, crontab)
  await using _two = start(service, work, crontab)
  await eventually(() => expect(done.length).toBeGreaterThan(0))
  expect(done[0]).toMatchObject({ _cron: { backfilled: true } })
  const times = done.map((payload) => (payload as { _cron: { ts: string } })._cron.ts)
  await delay(300)
  expect(new Set(times).size).toBe(times.length)
})

test('instances that start together on an empty database migrate it once', async () => {
  await using database = await newDatabase()
  const migrateIt = () => migrateAll(database.databaseUrl)
  await Promise.all([migrateIt(), migrateIt(), migrateIt()])
  await migrateIt()
})

test('jobs of a process that was killed are freed, with their queue; those of one that lives are not', async () => {
  const { db } = service.ctx
  const done: number[] = []
  for (const n of [1, 2]) await enqueue(db, 'forget-expired', { n }, { queue: `of ${n}` })
  await using live = await openPool(service.databaseUrl)
  for (const [n, worker] of [
    [1, 'dead'],
    [2, 'live'],
  ] as const) {
    await db.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute' where payload->>'n' = $2`,
      [worker, String(n)],
    )
    await db.query(
      `update graphile_worker._private_job_queues set locked_by = $1, locked_at = now() - interval '1 minute' where queue_name = $2`,
      [worker, `of ${n}`],
    )
  }
  await live.transaction(async (tx) => {
    await tx.query(`select pg_advisory_lock_shared(1903347102, hashtext('live')) is null as locked`)
    await using _jobs = start(service, async ({ n }) => done.push(n))
    await eventually(() => expect(done).toEqual([1]))
    await delay(6_000)
    expect(done).toEqual([1])
    expect(await waiting(service)).toMatchObject([{ attempts: 0 }])
    await tx.query(`select pg_advisory_unlock_all() is null as locked`)
    await eventually(() => expect(done).toEqual([1, 2]))
  })
})
