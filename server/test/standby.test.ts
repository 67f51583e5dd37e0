// The service with READ_DATABASE_URL, on a primary and a hot standby.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listenTo } from '../../testing/service/event-listener.ts'
import { startPostgresPair } from '../../testing/service/postgres.ts'
import { newWallet, type Service, startService } from '../../testing/service/service.ts'
import { unzip } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { readConfig } from '../src/config/settings.ts'
import { readPidFile } from '../src/db/embedded/postmaster.ts'
import { openDatabase } from '../src/db/open.ts'
import { connect } from '../src/db/pool.ts'
import { openStandby } from '../src/db/standby.ts'
import { layouts } from '../src/cluster/layout.ts'
import { schema } from '../src/jobs/migrate.ts'

/** Tests that only delay or pause the standby share this one, each with wallets of its own. */
let shared: Awaited<ReturnType<typeof startPostgresPair>>
beforeAll(async () => void (shared = await startPostgresPair()))
afterEach(async () => {
  await shared.resume()
  await shared.delay(0)
})
afterAll(() => shared?.[Symbol.asyncDispose]())

const silent = { info: () => {}, warn: () => {} }

async function writer(service: Service, peer: string) {
  const address = newWallet()
  const client = await service.as(address)
  return {
    address,
    client,
    send: (message: string) =>
      client.sendDirectMessage({ body: { fromaddr: address, toaddr: peer, message } }),
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** How many rows a server has read. */
async function rowsRead(url: string): Promise<number> {
  await using db = connect(url, { layout: layouts.machine, size: 1 })
  // A connection tells its counts when it has been idle for a second.
  await sleep(1200)
  const [row] = await db.query<{ rows: number }>(
    'select tup_returned + tup_fetched as rows from pg_stat_database where datname = current_database()',
  )
  return row!.rows
}

const texts = (count: number, of = '') => Array.from({ length: count }, (_, n) => `${of}${n}`)

test('a stream that opens after an erasure shows nothing from before it, although the standby still does', async () => {
  await shared.delay(600)
  await using service = await startService({ pair: shared })
  const bob = newWallet()
  const alice = await writer(service, bob)
  // The log is read already when the other stream opens.
  await using watching = await listenTo(service, alice.address)
  await alice.send('gone')
  await (await service.as(bob)).eraseAccount({ address: bob })
  await using stream = await listenTo(service, bob)
  await alice.send('after')
  await stream.receives(1)
  await watching.receives(2)
  expect(stream.messages()).toEqual(['after'])
})

test('a standby that is 300 ms behind: events are neither lost nor doubled, also of streams that open and resume meanwhile', async () => {
  const pair = shared
  await pair.delay(300)
  await using one = await startService({ pair })
  await using two = await startService({ pair })
  const bob = newWallet()
  const alice = await writer(one, bob)
  await using stream = await listenTo(two, bob)
  const due = texts(60)
  const streams: { from: number; stream: Awaited<ReturnType<typeof listenTo>> }[] = []
  for (const [n, message] of due.entries()) {
    await alice.send(message)
    await sleep(20)
    if (n % 10 !== 9) continue
    // The position that the first stream has now, on the other instance.
    const { lastId } = stream.state
    streams.push({ from: stream.received.length, stream: await listenTo(one, bob, { lastEventId: lastId }) })
  }
  await stream.receives(due.length)
  const numbers = stream.received.map(({ id }) => id!.split('.')[1])
  expect(stream.messages()).toEqual(due)
  expect(new Set(numbers).size).toBe(due.length)
  for (const resumed of streams) {
    await resumed.stream.receives(due.length - resumed.from)
    await sleep(400)
    const got = resumed.stream.messages()
    // What came between the position and the resumption may come again; never twice on one stream.
    expect(got).toEqual(due.slice(due.length - got.length))
    expect(got.length).toBeGreaterThanOrEqual(due.length - resumed.from)
    await resumed.stream[Symbol.asyncDispose]()
  }
  // They were read from the standby: at a pause of it nothing more comes at once.
  await pair.pause()
  await alice.send('later')
  await sleep(500)
  expect(stream.messages()).toHaveLength(due.length)
  await pair.resume()
  await stream.receives(due.length + 1)
})

test('live events of a standby that stands still come from the primary after two seconds, and from the standby again later', async () => {
  const pair = shared
  await using service = await startService({ pair })
  const bob = newWallet()
  const alice = await writer(service, bob)
  await using stream = await listenTo(service, bob)
  await alice.send('one')
  await stream.receives(1)
  await pair.pause()
  const since = performance.now()
  await alice.send('two')
  await stream.receives(2)
  expect(performance.now() - since).toBeGreaterThan(1500)
  await alice.send('three')
  await stream.receives(3, 1000)
  await pair.resume()
  for (let n = 0; n < 5; n++) {
    await alice.send(`more ${n}`)
    await sleep(300)
  }
  await stream.receives(8)
  expect(stream.messages()).toEqual(['one', 'two', 'three', ...texts(5, 'more ')])
  const before = await rowsRead(pair.standbyUrl)
  for (let n = 0; n < 50; n++) await alice.send(`last ${n}`)
  await stream.receives(58)
  expect(await rowsRead(pair.standbyUrl)).toBeGreaterThan(before)
})

test('long lists and exports are read from the standby, and show what was written right before', async () => {
  const pair = shared
  await using service = await startService({ pair })
  const bob = newWallet()
  const alice = await writer(service, bob)
  const due = texts(450)
  for (let from = 0; from < due.length; from += 50)
    await Promise.all(due.slice(from, from + 50).map(alice.send))
  for (const round of ['a', 'b', 'c', 'd']) {
    const last = `last of ${round}`
    due.push(last)
    await alice.send(last)
    const listed = await alice.client.listDirectMessages({ address: alice.address })
    expect(listed.at(-1)!.message).toBe(last)
    expect(listed.map(({ message }) => message).toSorted()).toEqual(due.toSorted())
    due.push(`${last}, exported`)
    await alice.send(`${last}, exported`)
    const archive = await alice.client.exportAccount({ address: alice.address })
    const files = await unzip(Buffer.from(await new Response(archive).arrayBuffer()))
    expect(String(files.get('direct-messages.jsonl')).trim().split('\n')).toHaveLength(due.length)
  }
  // On a busy machine the standby may be behind for a moment; then the primary is read for five seconds.
  const isReadThere = async () => {
    const [primary, standby] = await Promise.all([rowsRead(pair.primaryUrl), rowsRead(pair.standbyUrl)])
    for (let n = 0; n < 5; n++) {
      await alice.client.listDirectMessages({ address: alice.address })
      await new Response(await alice.client.exportAccount({ address: alice.address })).arrayBuffer()
    }
    const ofPrimary = (await rowsRead(pair.primaryUrl)) - primary
    const ofStandby = (await rowsRead(pair.standbyUrl)) - standby
    return ofStandby > 5 * due.length && ofPrimary < ofStandby / 2
  }
  await expect.poll(isReadThere, { timeout: 30_000 }).toBe(true)
  // Where it stands still, all of it comes from the primary.
  await pair.pause()
  due.push('unseen there')
  await alice.send('unseen there')
  expect(await alice.client.listDirectMessages({ address: alice.address })).toHaveLength(due.length)
})

test('a standby that is killed under load, and ended for good, is noticed by no reader', async () => {
  await using pair = await startPostgresPair()
  await using service = await startService({ pair })
  const bob = newWallet()
  const alice = await writer(service, bob)
  await using stream = await listenTo(service, bob)
  const sent: string[] = []
  const send = async (message: string) => {
    await alice.send(message)
    sent.push(message)
  }
  for (const message of texts(210)) await send(message)
  const over = new AbortController()
  const reading = Array.from({ length: 3 }, async () => {
    let count = 0
    for (; !over.signal.aborted; count++) {
      const known = sent.length
      const listed = await alice.client.listDirectMessages({ address: alice.address })
      expect(listed.length).toBeGreaterThanOrEqual(known)
      const archive = await alice.client.exportAccount({ address: alice.address })
      const files = await unzip(Buffer.from(await new Response(archive).arrayBuffer()))
      expect(String(files.get('direct-messages.jsonl')).split('\n').length).toBeGreaterThan(known)
    }
    return count
  })
  const writing = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      await send(`more ${n}`)
      await sleep(20)
    }
  })()
  const killing = (async () => {
    for (let kills = 0; kills < 3; kills++) {
      await sleep(700)
      // It starts again by itself, and may not have done so yet: then the file is gone, or names the one before.
      const postmaster = await readPidFile(pair.standbyFiles)
      if (postmaster) killIfThere(postmaster.pid)
    }
    await sleep(1500)
    await pair.stopStandby()
    await sleep(700)
    over.abort()
  })()
  await Promise.all([killing, writing, ...reading])
  await stream.receives(sent.length)
  expect(stream.messages()).toEqual(sent)
})

test('a read that the standby cancels for its recovery is repeated on the primary', async () => {
  await using pair = await startPostgresPair({ standbySettings: { max_standby_streaming_delay: '10ms' } })
  await using primary = connect(pair.primaryUrl, { layout: layouts.machine })
  await using standby = openStandby(pair.standbyUrl, primary, pair.primaryUrl, silent)
  await primary.query('create table many as select n from generate_series(1, 2000) n')
  const slow = standby
    .caughtUp(primary)
    .query<{ recovering: boolean; rows: number }>(
      'select bool_or(pg_is_in_recovery()) as recovering, count(*)::int as rows from (select pg_sleep(0.001), n from many) slow',
    )
  await sleep(300)
  await primary.query('delete from many where n > 1000')
  await primary.query('vacuum (truncate) many')
  expect(await slow).toEqual([{ recovering: false, rows: 1000 }])
})

test('READ_DATABASE_URL is read where it can be; without it, or while it is away, all comes from DATABASE_URL', async () => {
  const pair = shared
  const isRecovering = async (readUrl: string) => {
    const config = readConfig({ DATABASE_URL: pair.primaryUrl, READ_DATABASE_URL: readUrl })
    await using opened = await openDatabase(config, silent, { schema, layouts })
    const on = opened.standby?.caughtUp(opened.db) ?? opened.db
    return (await on.query<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]!.is
  }
  // It may not have caught up with its primary yet.
  await expect.poll(() => isRecovering(pair.standbyUrl), { timeout: 10_000 }).toBe(true)
  expect(await isRecovering('')).toBe(false)
  expect(await isRecovering(`postgres://127.0.0.1:${await freePort()}/parley`)).toBe(false)
})

const socketOf = 'select current_setting($1) as socket'
const socketName = ['unix_socket_directories']

test('a standby that goes on following an old primary after a failover is not read', async () => {
  await using pair = await startPostgresPair({ withSecond: true })
  await pair.promote()
  await using follower = await pair.startSecond(pair.primaryUrl)
  // The old primary goes on, so by positions its standby is ahead of the new one.
  await using old = connect(pair.primaryUrl, { layout: layouts.machine })
  await old.query('create table more as select n from generate_series(1, 10000) n')
  await using copy = connect(follower.url, { layout: layouts.machine })
  await expect.poll(() => copy.query('select from more limit 1').catch(() => [])).toHaveLength(1)
  await using primary = connect(pair.standbyUrl, { layout: layouts.machine })
  const here = await primary.query(socketOf, socketName)
  const warned: string[] = []
  const log = { ...silent, warn: (text: string) => void warned.push(text) }
  await using standby = openStandby(follower.url, primary, pair.standbyUrl, log)
  expect(await standby.caughtUp(primary).query(socketOf, socketName)).toEqual(here)
  expect(await standby.follow().db.query(socketOf, socketName)).toEqual(here)
  expect(warned).toEqual([
    'the standby does not follow the primary of the last failover: the primary is read',
  ])
})

test('a standby that follows the new primary after a failover is read', async () => {
  await using pair = await startPostgresPair({ withSecond: true })
  await pair.promote()
  await using follower = await pair.startSecond(pair.standbyUrl)
  await using primary = connect(pair.standbyUrl, { layout: layouts.machine })
  const here = await primary.query(socketOf, socketName)
  await using standby = openStandby(follower.url, primary, pair.standbyUrl, silent)
  const isRead = async () => (await standby.follow().db.query(socketOf, socketName))[0]
  await expect.poll(isRead, { timeout: 20_000 }).not.toEqual(here[0])
})

test('how far the standby is behind, and whether it is read, are metrics', async () => {
  await using pair = await startPostgresPair()
  const metricsToken = 'a-token-for-metrics-that-is-long-enough'
  await using service = await startService({ pair, metricsToken })
  const metric = async (name: string) => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const { body } = await service.app.inject({ url: '/metrics', headers })
    return Number(new RegExp(`^${name}\\{standby="read"\\} (.*)$`, 'm').exec(body)?.[1])
  }
  const alice = await writer(service, newWallet())
  const usable = () => metric('parley_standby_usable')
  const behind = () => metric('parley_standby_behind_seconds')
  const limit = { timeout: 15_000 }
  await expect.poll(usable, limit).toBe(1)
  await expect.poll(behind, limit).toBe(0)
  await pair.pause()
  await alice.send('not shown there')
  await expect.poll(behind, limit).toBeGreaterThan(2)
  expect(await usable()).toBe(1)
  await pair.resume()
  await expect.poll(behind, limit).toBe(0)
  await pair.stopStandby()
  await expect.poll(usable, limit).toBe(0)
})

test('another server than a standby of the database is not read', async () => {
  await using pair = await startPostgresPair()
  await using other = await startPostgresPair({ isOtherSystem: true })
  await using primary = connect(pair.primaryUrl, { layout: layouts.machine })
  const warned: string[] = []
  for (const url of [other.standbyUrl, pair.primaryUrl]) {
    const log = { ...silent, warn: (text: string) => void warned.push(text) }
    await using standby = openStandby(url, primary, pair.primaryUrl, log)
    const here = await primary.query(socketOf, socketName)
    expect(await standby.caughtUp(primary).query(socketOf, socketName)).toEqual(here)
    expect(await standby.follow().db.query(socketOf, socketName)).toEqual(here)
  }
  expect(warned).toEqual(
    Array.from({ length: 2 }, () => 'READ_DATABASE_URL is no standby of DATABASE_URL: the primary is read'),
  )
})
