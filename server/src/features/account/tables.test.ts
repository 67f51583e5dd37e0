import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { lastingGrants } from '../../auth/grants.ts'
import { tasks as allTasks } from '../../background.ts'
import { tablesOf } from '../../feature.ts'
import { enqueue } from '../../jobs/queue.ts'
import { lanes, type Payloads } from '../../jobs/tasks.ts'
import { dayOf } from '../../db/clock.ts'
import { features } from '../index.ts'

const service = useService({ rateLimits: true })
const tables = tablesOf(features)

test('of every table it is known what exporting and erasing a wallet do with it, and how its rows end', async () => {
  const found = await service.ctx.db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename collate "C"`,
  )
  // The tables that only a cluster has.
  const copies = await readFile(path.join(import.meta.dirname, '../../../cluster/copies.sql'), 'utf8')
  const ofCluster = Array.from(copies.matchAll(/create table (\w+)/g), ([, name]) => name!)
  const all = new Set([...found.map(({ name }) => name), ...ofCluster])
  // A table fails that no feature names, that two name, or that is not there.
  expect(tables.map(([name]) => name).toSorted()).toEqual([...all].toSorted())
})

test('the rows that a list of grants names are all that let somebody read or write after a sign-in has ended', () => {
  const named = tables.flatMap(([name, { access }]) =>
    typeof access === 'string' ? [] : [`${access.grant}: ${name}`],
  )
  const ended = Object.entries(lastingGrants).flatMap(([grant, { tables: all }]) =>
    all.map((name) => `${grant}: ${name}`),
  )
  expect(named.toSorted()).toEqual(ended.toSorted())
})

const day = 86_400_000
const job = { id: '1', createdAt: new Date(), signal: new AbortController().signal }

/** Returns a value for a column that must have one. */
function valueOf(name: string, type: string, n: number): unknown {
  if (name.endsWith('bucket')) return 1
  const of: Record<string, unknown> = {
    text: `${n}`,
    bytea: Buffer.from([n]),
    boolean: false,
    ARRAY: '{}',
    json: '{}',
    jsonb: '{}',
  }
  return of[type] ?? n
}

/** Adds a row with these values, and any others where it must have some. */
async function addRow(table: string, n: number, given: Record<string, unknown>) {
  const { db } = service.ctx
  const columns = await db.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  )
  const row = {
    ...Object.fromEntries(columns.map(({ name, type }) => [name, valueOf(name, type, n)])),
    ...given,
  }
  const names = Object.keys(row)
  await db.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  )
}

test('what ends after some time is deleted then by a task, and not before', async () => {
  const { db } = service.ctx
  const now = db.now()
  const expiring = tables.flatMap(([table, { ends }]) =>
    typeof ends === 'string' ? [] : [{ table, ...ends }],
  )
  const timesOf = ({ column, days }: (typeof expiring)[number]) =>
    column === 'day'
      ? { young: dayOf(now) - days, old: dayOf(now) - days - 1 }
      : { young: now - days * day + day / 24, old: now - days * day - day / 12 }
  for (const one of expiring)
    for (const [n, time] of Object.values(timesOf(one)).entries())
      await addRow(one.table, n + 1, { ...one.row, [one.column]: Math.floor(time) })
  await addRow('held_messages', 1, { cause: 'deletion' })
  await allTasks['forget-expired'](service.ctx, {}, job)
  await allTasks['forget-released'](service.ctx, {}, job)
  const left = async () => {
    const counted = expiring.map(async (one) => {
      const rows = await db.query<{ time: number }>(`select ${one.column} as time from ${one.table}`)
      const has = (time: number) => rows.some((row) => row.time === Math.floor(time))
      const { young, old } = timesOf(one)
      return [one.table, { young: has(young), old: has(old) }]
    })
    return Object.fromEntries(await Promise.all(counted)) as object
  }
  const wanted = Object.fromEntries(expiring.map(({ table }) => [table, { young: true, old: false }]))
  // Rows that are stored for minutes go with the exchange of the limits, each minute.
  await expect.poll(left, { timeout: 5_000 }).toEqual(wanted)
  expect(await db.query('select 1 as one from held_messages')).toEqual([])
})

test('of the jobs of a wallet no queue is left when they are done', async () => {
  const { db } = service.ctx
  for (const task of Object.keys(lanes) as (keyof Payloads)[])
    await enqueue(db, task, { walletaddr: newWallet() })
  await enqueue(db, 'forget-expired', {}, { queue: 'a queue' })
  const queues = () => db.query('select queue_name from graphile_worker._private_job_queues')
  expect((await queues()).length).toBeGreaterThan(2)
  await allTasks['forget-expired'](service.ctx, {}, job)
  expect((await queues()).length).toBeGreaterThan(2)
  await db.query(
    'select 1 as done from graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))',
  )
  await allTasks['forget-expired'](service.ctx, {}, job)
  expect(await queues()).toEqual([])
})
