import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serverUrl } from '../../../testing/service/database.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { startDatabaseProxy } from '../../../testing/service/proxies.ts'
import { startService } from '../../../testing/service/service.ts'
import { layouts } from '../cluster/layout.ts'
import { startEmbedded } from './embedded/start.ts'
import { connect } from './pool.ts'
import { openSession } from './session.ts'
import { migrateAll } from '../jobs/migrate.ts'
import { requireDurable } from './open.ts'
import { onOneMachine } from '../../../testing/service/engines.ts'

onOneMachine(
  'a database that could lose what it acknowledged is refused, unless that is asked for',
  async () => {
    await using folder = await newFolder('durable')
    const lost: Error[] = []
    await using stack = new AsyncDisposableStack()
    const own = stack.use(await startEmbedded({ dataDir: folder.path, log: () => {} }))
    const requireIn = async (url: string, allowUnsafe: boolean) => {
      await using session = await openSession(url, 'parley test')
      await requireDurable(session.client, allowUnsafe)
    }
    await expect(requireIn(own.url, false)).resolves.toBeUndefined()
    const db = stack.use(connect(own.url, { layout: layouts.machine, onError: (error) => lost.push(error) }))
    await Promise.all([1, 2, 3, 4, 5].map(() => db.query('select pg_sleep(0.1)')))
    await db.query('alter database parley set synchronous_commit = off')
    await expect(requireIn(own.url, false)).rejects.toThrow(/synchronous_commit off.*ALLOW_UNSAFE_DB/)
    await expect(requireIn(own.url, true)).resolves.toBeUndefined()
    // The PostgreSQL of the tests does not wait for the disk.
    await expect(requireIn(serverUrl(), false)).rejects.toThrow(/fsync and full_page_writes off/)
    // The server ends connections that are about to be closed: none of them is lost.
    await stack.disposeAsync()
    expect(lost).toEqual([])
  },
)

onOneMachine('two instances that start together migrate once', async () => {
  await using service = await startService()
  await service.ctx.db.query('drop schema public cascade')
  await service.ctx.db.query('create schema public')
  await Promise.all([migrateAll(service.databaseUrl), migrateAll(service.databaseUrl)])
  expect(await service.ctx.db.query('select 1 as one from direct_messages')).toEqual([])
})

test('a transaction that throws leaves nothing behind', async () => {
  await using db = connect(serverUrl(), { layout: layouts.machine })
  const work = db.transaction(async (tx) => {
    await tx.query('create table half (id integer)')
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  expect(await db.query(`select to_regclass('half') as found`)).toEqual([{ found: null }])
})

test('a connection that breaks between two queries of a transaction fails that transaction, and nothing else', async () => {
  await using db = connect(serverUrl(), { layout: layouts.machine })
  const work = db.transaction(async (tx) => {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    await db.query('select pg_terminate_backend($1)', [row!.pid])
    await new Promise((resolve) => setTimeout(resolve, 200))
    await tx.query('select 1')
  })
  await expect(work).rejects.toThrow()
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('connections that broke do not mean that the database is away, when new ones are taken', async () => {
  await using proxy = await startDatabaseProxy(serverUrl())
  const reached: (Error | null)[] = []
  await using db = connect(proxy.url, {
    layout: layouts.machine,
    onReach: (error) => void reached.push(error),
  })
  await db.query('select 1')
  // The watching connection is open, and idle.
  await sleep(100)
  await proxy.shut()
  await proxy.open()
  for (let round = 0; round < 20; round++) {
    await sleep(25)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  }
  expect(reached).toEqual([])
})
