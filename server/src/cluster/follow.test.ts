import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newMigratedDatabase, openPool } from '../../../testing/service/database.ts'
import { followAll } from '../../../testing/service/log.ts'
import { sending } from '../../../testing/service/log.ts'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/pool.ts'
import { walletBucket } from '../values/bucket.ts'
import { reader as mails } from '../features/notifications/reader.ts'
import { followLog, followStep } from './follow.ts'

const newWallet = () => `0x${randomBytes(20).toString('hex')}`

/** Makes a wallet that wants mails about direct messages. */
async function newReader(db: Db): Promise<string> {
  const wallet = newWallet()
  await db.query(
    `insert into settings (wbucket, walletaddr, id, email, notifydm, verified) values ($1, $2, 0, 'a@example.org', true, true)`,
    [walletBucket(wallet), wallet],
  )
  return wallet
}

const send = (db: Db, fromaddr: string, ...to: string[]) => db.query(...sending(fromaddr, to))

interface Job {
  toaddr: string
  /** Counts how often it was enqueued again. */
  again: number
}

const jobs = (db: Db) =>
  db.query<Job>(
    `select j.payload->>'toaddr' as toaddr, j.revision as again
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'send-dm-mail' order by j.id`,
  )

const recipients = async (db: Db) => (await jobs(db)).map(({ toaddr }) => toaddr).toSorted()

test('messages to a wallet that wants mails become one job, no matter who wrote; others and oneself get none', async () => {
  await using t = await newMigratedDatabase()
  const [alice, bob, reader] = [newWallet(), newWallet(), await newReader(t.db)]
  await send(t.db, alice, bob, reader, reader)
  await send(t.db, reader, reader, alice)
  await followAll(t.db)
  expect(await jobs(t.db)).toEqual([{ toaddr: reader, again: 0 }])
  await followAll(t.db)
  expect(await jobs(t.db)).toEqual([{ toaddr: reader, again: 0 }])
  // While it waits it is not added again; when it runs or is done, another one follows.
  await send(t.db, bob, reader)
  await followAll(t.db)
  expect(await jobs(t.db)).toEqual([{ toaddr: reader, again: 0 }])
  await t.db.query('update graphile_worker._private_jobs set locked_at = now()')
  await send(t.db, bob, reader)
  await followAll(t.db)
  expect(await recipients(t.db)).toEqual([reader, reader])
  await t.db.query('delete from graphile_worker._private_jobs')
  await followAll(t.db)
  expect(await jobs(t.db)).toEqual([])
  await send(t.db, bob, reader)
  await followAll(t.db)
  expect(await jobs(t.db)).toEqual([{ toaddr: reader, again: 0 }])
})

test('a message whose transaction ends after later ones were sent keeps its mail', async () => {
  await using t = await newMigratedDatabase()
  const [alice, late, early] = [newWallet(), await newReader(t.db), await newReader(t.db)]
  await t.db.transaction(async (tx) => {
    await send(tx, alice, late)
    await send(t.db, alice, early)
    for (let i = 0; i < 3; i++) expect(await followStep(t.db, mails)).toBe('waiting')
  })
  await followAll(t.db)
  expect(await recipients(t.db)).toEqual([late, early].toSorted())
})

test('a message is mailed also when a transaction that began before it ends later', async () => {
  await using t = await newMigratedDatabase()
  const [alice, one, other] = [newWallet(), await newReader(t.db), await newReader(t.db)]
  await t.db.transaction(async (older) => {
    await older.query('select pg_current_xact_id()')
    await send(t.db, alice, one)
    await followStep(t.db, mails)
    await send(older, alice, other)
    await followStep(t.db, mails)
    // On a cluster no message waits for transactions of other buckets.
    if (t.db.layout.name === 'machine') expect(await jobs(t.db)).toEqual([])
  })
  await followAll(t.db)
  expect(await recipients(t.db)).toEqual([one, other].toSorted())
})

test('instances that take steps at once enqueue each message once, and lose none', async () => {
  await using t = await newMigratedDatabase()
  await using other = await openPool(t.databaseUrl, 4)
  const readers = await Promise.all(Array.from({ length: 40 }, () => newReader(t.db)))
  const state = { sending: true }
  const following = [t.db, other, other].map(async (db) => {
    while (state.sending) await followStep(db, mails)
  })
  for (const reader of readers) await send(t.db, newWallet(), reader)
  state.sending = false
  await Promise.all(following)
  await followAll(other)
  expect(await recipients(t.db)).toEqual(readers.toSorted())
  expect((await jobs(t.db)).filter(({ again }) => again > 0)).toEqual([])
})

test('an instance that stops between two steps, or in one, loses no mail', async () => {
  await using t = await newMigratedDatabase()
  const readers: string[] = []
  for (let i = 0; i < 4; i++) {
    readers.push(await newReader(t.db))
    await send(t.db, newWallet(), readers.at(-1)!)
    await using instance = await openPool(t.databaseUrl, 1)
    await followStep(instance, mails)
    // Enqueueing fails, like after a lost connection in the middle of a step.
    await t.db.query('alter table settings rename to away')
    await followStep(instance, mails).catch(() => {})
    await t.db.query('alter table away rename to settings')
  }
  await followAll(t.db)
  expect(await recipients(t.db)).toEqual(readers.toSorted())
})

test('rows that were copied from a server with greater transaction ids are followed at once', async () => {
  await using t = await newMigratedDatabase()
  const reader = await newReader(t.db)
  await send(t.db, newWallet(), reader)
  await followStep(t.db, mails)
  await t.db.query('update log_readers set seen_xid = 1000000000000')
  await followAll(t.db)
  expect(await recipients(t.db)).toEqual([reader])
})

test('a long backlog is read in several steps', async () => {
  await using t = await newMigratedDatabase()
  const [alice, reader] = [newWallet(), await newReader(t.db)]
  for (let i = 0; i < 5; i++) await send(t.db, alice, ...Array.from({ length: 450 }, newWallet))
  await send(t.db, alice, reader)
  const steps: string[] = []
  await expect.poll(async () => steps.push(await followStep(t.db, mails)) && steps.at(-1)).toBe('settled')
  expect(steps.filter((step) => step === 'read')).toHaveLength(2)
  expect(await recipients(t.db)).toEqual([reader])
})

test('the service enqueues a mail within a few seconds, and waits for a database that is away', async () => {
  await using t = await newMigratedDatabase()
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) } as unknown as Parameters<
    typeof followLog
  >[0]['log']
  const reader = await newReader(t.db)
  await using _following = followLog({ db: t.db, log }, mails)
  await t.db.query('alter table log_readers rename to away')
  await expect.poll(() => warnings.length, { timeout: 3000 }).toBe(1)
  await t.db.query('alter table away rename to log_readers')
  await send(t.db, newWallet(), reader)
  await expect.poll(() => recipients(t.db), { timeout: 5000 }).toEqual([reader])
})

test('a reader that can wait leaves most of the time to sends while they wait, and goes on when they do not', async () => {
  await using t = await newMigratedDatabase()
  const log = { warn: () => {} } as unknown as Parameters<typeof followLog>[0]['log']
  await send(t.db, newWallet(), newWallet())
  let pages = 0
  const reader = {
    ...mails,
    canWait: true,
    async readPage(_tx: Db, after: number) {
      pages++
      await sleep(20)
      return after + 1
    },
  }
  const isBusy = { now: true }
  // One statement at a time: most of these calls wait for the one before.
  const slow = batched(async (_db, calls: number[]) => (await sleep(2), calls), {
    name: 'test',
    inFlight: 1,
    size: 2,
    waitsFor: 'rows',
  })
  const calls = Array.from({ length: 16 }, async () => {
    while (isBusy.now) await slow(t.db, 1)
  })
  await t.db.query(`select setval('item_numbers', 1000000)`)
  await using _following = followLog({ db: t.db, log }, reader)
  await expect.poll(() => pages, { timeout: 5000 }).toBeGreaterThan(0)
  const pagesIn = async (ms: number) => {
    const before = pages
    await sleep(ms)
    return pages - before
  }
  const whileBusy = await pagesIn(2000)
  isBusy.now = false
  await Promise.all(calls)
  // Its rest ends as soon as nothing waits.
  const whileIdle = await pagesIn(2000)
  expect(whileBusy).toBeLessThan(whileIdle / 4)
})
