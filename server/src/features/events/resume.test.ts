import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { issueToken } from '../../auth/tokens.ts'
import { deleteOldEvents } from '../../messages/events.ts'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { sending } from '../../../../testing/service/log.ts'
import { newWallet, type Service, startService, useService } from '../../../../testing/service/service.ts'
import { lastIdOf, numberOfId } from '../../values/bucket.ts'

const service = useService()
const other = useService({ beside: service })
const fast = useService({ beside: service, tickEvery: 50 })

async function sender(on: Service, fromaddr = newWallet()) {
  const client = await on.as(fromaddr)
  return {
    address: fromaddr,
    client,
    send: async (toaddr: string, message: string) =>
      (await client.sendDirectMessage({ body: { fromaddr, toaddr, message } }))[0]!,
  }
}

/** Opens a transaction that has drawn an id for a message to a wallet, and has not ended. */
async function holdMessage(on: Service, toaddr: string, message: string) {
  const client = new pg.Client({ connectionString: on.databaseUrl })
  // Should the test end early, its database is dropped with this connection open.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  const { rows } = await client.query<{ id: string }>(...sending('held', [toaddr], message))
  return {
    id: Number(rows[0]!.id),
    end: async (how: 'commit' | 'rollback') => {
      await client.query(how)
      await client.end()
    },
  }
}

/** Returns the position after an item, when nothing before it is missing. */
const positionAt = (id: number) => lastIdOf(numberOfId(id))
const positionOf = (id: string | undefined) => Number(id?.split('.')[0])

test('an id that becomes visible late is neither lost live nor on resuming; what comes again has the same number', async () => {
  const [alice, bob] = [await sender(fast), newWallet()]
  await using stream = await listenTo(fast, bob)
  const held = await holdMessage(fast, bob, 'held')
  const later = await alice.send(bob, 'later')
  expect(later.id).toBeGreaterThan(held.id)
  await stream.receives(1)
  expect(positionOf(stream.received[0]!.id)).toBeLessThan(held.id)
  expect(stream.received[0]!.id).toMatch(new RegExp(`\\.${later.id}$`))

  await held.end('commit')
  await stream.receives(2)
  expect(stream.messages()).toEqual(['later', 'held'])
  await using resumed = await listenTo(fast, bob, { lastEventId: stream.received[0]!.id })
  await resumed.receives(2)
  expect(resumed.messages()).toEqual(['held', 'later'])
  expect(resumed.received.map(({ id }) => id?.split('.')[1])).toEqual([String(held.id), String(later.id)])
})

test('an id is waited for also when its transaction is younger than all that have ended', async () => {
  const bob = newWallet()
  await using stream = await listenTo(fast, bob)
  const held = await fast.ctx.db.transaction(async (older) => {
    await older.query('select pg_current_xact_id()')
    const younger = await holdMessage(fast, bob, 'held')
    await older.query(...sending('x', [bob], 'later'))
    return younger
  })
  await stream.receives(1)
  await sleep(200)
  await held.end('commit')
  await stream.receives(2)
  expect(stream.messages()).toEqual(['later', 'held'])
})

// On a cluster no bucket has holes, and a position may be a second behind.
onOneMachine('an id whose transaction is undone holds nothing up', async () => {
  const [alice, bob] = [await sender(fast), newWallet()]
  await using stream = await listenTo(fast, bob)
  const held = await holdMessage(fast, bob, 'held')
  await alice.send(bob, 'one')
  await held.end('rollback')
  // Any other transaction of the same PostgreSQL holds positions up until it ends, also one of its own upkeep.
  await expect
    .poll(async () => {
      const { id } = await alice.send(bob, 'more')
      await stream.receives(stream.received.length + 1)
      return stream.received.at(-1)!.id === `${positionAt(id)}.${id}`
    })
    .toBe(true)
})

onOneMachine(
  'where a long transaction was running when an instance began to read, its streams read again when it ends',
  async () => {
    await using next = await startService({ beside: service, tickEvery: 50 })
    const [alice, bob] = [await sender(next), newWallet()]
    const held = await holdMessage(next, bob, 'held')
    await alice.send(bob, 'before')
    await using stream = await listenTo(next, bob)
    await alice.send(bob, 'one')
    await stream.receives(1)
    expect(stream.received[0]!.id).toBeUndefined()
    await held.end('commit')
    await stream.receives(2)
    expect(stream.events()[1]).toEqual({ type: 'resync' })
    const { id } = await alice.send(bob, 'two')
    await stream.receives(3)
    expect(stream.received[2]!.id).toBe(`${positionAt(id)}.${id}`)
  },
)

onOneMachine('a chat that a wallet joins while its first stream opens is followed', async () => {
  await using own = await startService()
  const [alice, bob, chat] = [newWallet(), newWallet(), newWallet()]
  const [asAlice, asBob] = [await own.as(alice), await own.as(bob)]
  const waiting = () =>
    own.ctx.db.query(
      `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  // The log cannot be opened before this ends; the chats of a wallet can be read.
  const opening = await own.ctx.db.transaction(async (tx) => {
    await tx.query('lock table direct_messages in access exclusive mode')
    const opened = listenTo(own, bob)
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
    await sleep(200)
    await asBob.joinChat({ body: { walletaddr: bob, nftaddr: chat } })
    return { opened }
  })
  await using stream = await opening.opened
  await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: chat, message: 'gm' } })
  await stream.receives(1)
  expect(stream.messages()).toEqual(['gm'])
})

test('a client that breaks off again and again, on any instance, while others send, hears all in order', async () => {
  const bob = newWallet()
  const senders = [await sender(service), await sender(other), await sender(service)]
  // Two of them write into the same conversation, from two instances.
  const twin = await sender(other, senders[0]!.address)
  const state = { sending: true }
  const all = Promise.all(
    [...senders, twin].map(async ({ send }, who) => {
      const sent: number[] = []
      for (let i = 0; i < 60; i++) {
        sent.push((await send(bob, `${who} ${i}`)).id)
        await sleep(Math.random() * 10)
      }
      return sent
    }),
  ).finally(() => (state.sending = false))

  const seen = new Map<number, string>()
  let lastEventId = '0'
  const listen = async (on: Service, until: () => boolean) => {
    await using stream = await listenTo(on, bob, { lastEventId })
    await expect.poll(until, { timeout: 20_000, interval: 3 }).toBe(true)
    for (const { event } of stream.received) {
      expect(event.type).toBe('direct-message')
      if (event.type === 'direct-message') seen.set(event.item.id, event.item.fromaddr)
    }
    lastEventId = stream.state.lastId ?? lastEventId
  }
  for (let i = 0; state.sending; i++) {
    const end = Date.now() + Math.random() * 60
    await listen(i % 2 ? service : other, () => Date.now() > end)
  }
  const due = (await all).flat()
  await using last = await listenTo(service, bob, { lastEventId })
  await expect
    .poll(
      () => {
        for (const { event } of last.received)
          if (event.type === 'direct-message') seen.set(event.item.id, event.item.fromaddr)
        return due.filter((id) => !seen.has(id))
      },
      { timeout: 5000 },
    )
    .toEqual([])
  for (const { address } of senders) {
    const ids = [...seen].filter(([, from]) => from === address).map(([id]) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  }
})

test('where a gap cannot be ruled out the stream says so, and goes on from now', async () => {
  await using own = await startService()
  const [alice, bob] = [await sender(own), newWallet()]
  const first = await alice.send(bob, 'one')
  const before = String(first.id)
  const resyncs = async (lastEventId: string) => {
    await using stream = await listenTo(own, bob, { lastEventId })
    await stream.receives(1)
    const [{ event, id }] = stream.received as [(typeof stream.received)[number]]
    expect(event, lastEventId).toEqual({ type: 'resync' })
    expect(id).toBe(stream.state.lastId)
    const { message } = await alice.send(bob, `after ${lastEventId}`)
    await expect.poll(() => stream.messages().at(-1)).toBe(message)
    expect(stream.received.length).toBeLessThan(4)
  }
  const resumes = async (lastEventId: string, messages: string[]) => {
    await using stream = await listenTo(own, bob, { lastEventId })
    await stream.receives(messages.length)
    await sleep(30)
    expect(stream.events().some(({ type }) => type === 'resync')).toBe(false)
    expect(stream.messages()).toEqual(messages)
  }
  await resumes(before, [])
  await resumes('0', ['one'])
  for (const garbage of ['x', '-1', '1e3', '1.2.3', '9'.repeat(16), '9'.repeat(15), ''])
    await resyncs(garbage)

  // The event is a day old, so it is forgotten.
  const { id } = await alice.send(bob, 'two')
  await alice.client.deleteDirectMessage({ id })
  const { db } = own.ctx
  await deleteOldEvents(db)
  await using still = await listenTo(own, bob, { lastEventId: String(id) })
  await still.receives(1)
  expect(still.events()).toMatchObject([{ type: 'deleted', id }])
  await db.query(`update events set ms = ms - 25 * 3600000`)
  await deleteOldEvents(db)
  await resyncs(before)

  // This is too much to resume.
  const position = String((await alice.send(bob, 'three')).id)
  const more = async (from: number, to: number) => {
    const count = still.received.length
    await db.transaction(async (tx) => {
      const [ids] = await tx.query<{ drawn: number[] | null }>(
        `select draw_ids_v1($1, array_fill($2::int, array[$3::int])) as drawn`,
        [Date.now(), Number(position) % 64, to - from + 1],
      )
      await tx.query(
        `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
         select bucket, conversation_id, next_id_v1(bucket, ($4::bigint[])[n]), fromaddr, toaddr, 'more', ms
         from direct_messages, generate_series(1, $3::int - $2::int + 1) n where id = $1`,
        [Number(position), from, to, ids!.drawn],
      )
    })
    own.ctx.events.poke()
    await still.receives(count + to)
  }
  await more(1, 1000)
  await resumes(
    position,
    Array.from({ length: 1000 }, () => 'more'),
  )
  await more(1, 1)
  await resyncs(position)
})

test('a client that does not read is cut off while others go on, and resumes without a gap', async () => {
  const [alice, bob] = [await sender(service), newWallet()]
  await using reader = await listenTo(service, bob)
  const slow = net.connect(Number(new URL(await service.listen()).port), '127.0.0.1')
  slow.on('error', () => {})
  slow.write(
    `GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await issueToken(service.ctx, bob)}\r\n\r\n`,
  )
  await once(slow, 'readable')
  const text = 'x'.repeat(60_000)
  const due = Array.from({ length: 250 }, (_, i) => `${i} ${text}`)
  for (const message of due) await alice.send(bob, message)
  await reader.receives(due.length, 20_000)

  let received = ''
  slow.setEncoding('utf8')
  slow.on('data', (data: string) => (received += data))
  await Promise.race([once(slow, 'close'), sleep(5000)])
  expect(slow.destroyed).toBe(true)
  const whole = received.slice(0, received.lastIndexOf('\n\n'))
  const got = [...whole.matchAll(/^data: .*?"message":"(\d+) /gm)].map(([, i]) => Number(i))
  expect(got.length).toBeLessThan(due.length)
  const lastEventId = [...whole.matchAll(/^id: (\S+)$/gm)].at(-1)![1]!
  await using resumed = await listenTo(service, bob, { lastEventId })
  await expect
    .poll(
      () => new Set([...got, ...resumed.messages().map((message) => Number.parseInt(message, 10))]).size,
      {
        timeout: 10_000,
      },
    )
    .toBe(due.length)
  expect(resumed.messages().at(-1)).toBe(due.at(-1))
})
