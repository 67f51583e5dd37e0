// Moving a database onto a cluster, as operators do it: beside a service that others write to.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newLocalDatabase } from '../../testing/service/citus.ts'
import { newDatabase, newMigratedDatabase, openPool } from '../../testing/service/database.ts'
import { onCluster, onOneMachine } from '../../testing/service/engines.ts'
import { templateDatabase } from '../../testing/service/global-setup.ts'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { sending } from '../../testing/service/log.ts'
import { createServiceProcess, type ServiceProcess } from '../../testing/service/service-process.ts'
import { newWallet } from '../../testing/service/service.ts'
import { issueToken } from '../src/auth/tokens.ts'
import { findLayout, moveMark } from '../src/db/layout.ts'
import { readPlaces } from '../src/cluster/distribute/places.ts'

const publicUrl = 'https://chat.example.org'
const jwtSecret = 'a secret that is long enough for a test of it'

/** The command, running. `ended` resolves to what it printed. */
function parley(args: string[], databaseUrl: string): { child: ChildProcess; ended: Promise<string> } {
  const tool = path.join(import.meta.dirname, '../src/parley.ts')
  const child = spawn(process.execPath, [tool, 'distribute', '--yes', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (printed += String(data)))
  return { child, ended: once(child, 'close').then(() => printed) }
}

async function createProcess(stack: AsyncDisposableStack, databaseUrl: string) {
  const { path: folder } = stack.use(await newFolder('distribute'))
  return stack.use(
    createServiceProcess({
      port: await freePort(),
      env: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        PUBLIC_URL: publicUrl,
        JWT_SECRET: jwtSecret,
        RATE_LIMITS: 'off',
        DRAIN_SECONDS: '0',
      },
    }),
  )
}

async function startProcess(stack: AsyncDisposableStack, databaseUrl: string) {
  const service = await createProcess(stack, databaseUrl)
  await service.start()
  return service
}

const clientOf = async (baseUrl: string, wallet: string, retry?: false) =>
  createClient({
    baseUrl,
    token: await issueToken({ config: { publicUrl, jwtSecret } }, wallet),
    retry: retry ?? { attempts: Infinity, longestWait: Infinity },
  })

/** Wallets that write to one another until `stop`; `sent` is what was acknowledged, in order, for each pair. */
async function startWriters(baseUrl: string, count: number) {
  const stop = new AbortController()
  const pairs = await Promise.all(
    Array.from({ length: count }, async () => {
      const [from, to] = [newWallet(), newWallet()]
      return { from, to, sent: [] as string[], client: await clientOf(baseUrl, from) }
    }),
  )
  const writing = Promise.all(
    pairs.map(async ({ from, to, sent, client }) => {
      for (let n = 0; !stop.signal.aborted; n++) {
        await client.sendDirectMessage({ body: { fromaddr: from, toaddr: to, message: `message ${n}` } })
        sent.push(`message ${n}`)
      }
    }),
  )
  return { pairs, end: () => (stop.abort(), writing) }
}

test('every table has its line in distribute.sql, so that none is forgotten on a cluster', async () => {
  await using t = await newMigratedDatabase()
  const rows = await t.db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not like 'kysely_migration%' and relname !~ '_[0-9]+$' order by relname`,
  )
  const { moved, local } = await readPlaces()
  // That one is made when a database is moved.
  const names = new Set([...rows.map(({ name }) => name), 'conversation_copies'])
  expect([...moved, ...local].toSorted()).toEqual([...names].toSorted())
})

onOneMachine('a PostgreSQL without the extension is refused, and left as it is', async () => {
  await using t = await newMigratedDatabase()
  const printed = await parley([], t.databaseUrl).ended
  expect(printed).toContain('This PostgreSQL has no citus extension')
  expect(await t.db.query(`select to_regclass('${moveMark}') as mark`)).toEqual([{ mark: null }])
})

test('an address is taken for a rehearsal only, and only that of another database', async () => {
  const url = 'postgres://127.0.0.1:1/none'
  expect(await parley([url], url).ended).toContain('Only --dry-run takes the address of a database')
  expect(await parley(['--dry-run', url], url).ended).toContain('a restored copy, not that of the service')
})

onOneMachine(
  'while a database is moved requests are 503 and nothing starts on it; a cluster ends the process',
  async () => {
    await using stack = new AsyncDisposableStack()
    const { databaseUrl } = stack.use(await newDatabase(templateDatabase))
    const db = stack.use(await openPool(databaseUrl))
    const service = await startProcess(stack, databaseUrl)
    const wallet = newWallet()
    const client = await clientOf(service.url, wallet, false)
    const send = () =>
      client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: 'bob', message: 'gm' } }).then(
        () => 'sent',
        (error: Error & { status?: number }) => `${error.status} ${error.message}`,
      )
    expect(await send()).toBe('sent')

    await db.query(`create table ${moveMark} ()`)
    await expect.poll(send, { timeout: 5000 }).toContain('503 The database is being moved')
    const other = await createProcess(stack, databaseUrl)
    other.launch()
    await other.until('the database is not ready: it is being moved onto a cluster')
    await db.query(`drop table ${moveMark}`)
    await other.ready()
    await expect.poll(send, { timeout: 5000 }).toBe('sent')

    const ended = once(service.child, 'exit')
    await db.query('alter function next_id_v1(integer, bigint) immutable')
    expect(await ended).toEqual([1, null])
    expect(service.printed()).toContain('the database has become a cluster')
  },
  60_000,
)

/** Starts the process again when it ends by itself, as a supervisor does, until `stack` is disposed of. */
function supervise(service: ServiceProcess): () => Promise<void> {
  const over = new AbortController()
  const running = (async () => {
    while (!over.signal.aborted) {
      if (service.hasCrashed) await service.start()
      await sleep(50)
    }
  })()
  return () => (over.abort(), running)
}

onCluster(
  'a database in use is moved: nothing acknowledged is lost or doubled, counts are right, and all goes on',
  async () => {
    await using stack = new AsyncDisposableStack()
    const { url } = stack.use(await newLocalDatabase())
    const before = newWallet()
    {
      await using db = await openPool(url)
      for (let n = 0; n < 20; n++) await db.query(...sending(before, Array.from({ length: 500 }, newWallet)))
    }
    const service = await startProcess(stack, url)
    const endSupervising = supervise(service)
    const { pairs, end } = await startWriters(service.url, 6)
    await expect.poll(() => pairs.every(({ sent }) => sent.length > 2), { timeout: 20_000 }).toBe(true)

    // Killed in the middle: PostgreSQL undoes it, and requests wait for the next run.
    const first = parley([], url)
    first.child.stderr!.on('data', (data: Buffer) => {
      if (/^\d+ rows/m.test(String(data))) first.child.kill('SIGKILL')
    })
    await first.ended
    expect(first.child.signalCode).toBe('SIGKILL')
    const refused = await clientOf(service.url, before, false)
    await expect(refused.getInbox({ address: before })).rejects.toThrow('The database is being moved')

    expect(await parley([], url).ended).toContain('The database is a cluster')
    expect(await findLayout(url)).toBe('cluster')
    const moved = pairs.map(({ sent }) => sent.length)
    await expect
      .poll(() => pairs.every(({ sent }, n) => sent.length > moved[n]! + 2), { timeout: 60_000 })
      .toBe(true)
    await end()
    await endSupervising()
    for (const { from, to, sent } of pairs) {
      const receiver = await clientOf(service.url, to)
      const listed = await receiver.listConversation({ fromaddr: to, toaddr: from })
      expect(listed.map(({ message }) => message)).toEqual(sent)
      expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted((a, b) => a - b))
      expect(await receiver.countUnread({ address: to })).toBe(sent.length)
    }
    const { length } = await refused.listDirectMessages({ address: before })
    expect(length).toBe(10_000)
    expect(await parley([], url).ended).toContain('is a cluster already')
  },
  300_000,
)
