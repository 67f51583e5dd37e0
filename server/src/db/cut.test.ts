import pg from 'pg'
import { expect } from 'vitest'
import { onOneMachine } from '../../../testing/service/engines.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { newDatabase } from '../../../testing/service/database.ts'
import { listenTo } from '../../../testing/service/event-listener.ts'
import { newWallet, type Service, startService } from '../../../testing/service/service.ts'
import { backUp } from '../backup/backup.ts'
import { restore } from '../backup/restore.ts'
import { check } from '../check/check.ts'
import * as lists from '../features/direct-messages/lists.ts'
import { findMessages } from '../features/group-chats/store.ts'
import { findInbox } from '../features/inbox/store.ts'
import { cutTables, undoKilledCut } from './cut.ts'
import { pagesOf } from './pages.ts'
import type { Db } from './pool.ts'

const cut = ({ databaseUrl }: { databaseUrl: string }, margin = 3) => cutTables({ databaseUrl, margin })

/** Returns the parts of a table, each with its number of rows. */
async function partsOf({ ctx }: Service, table: string): Promise<Record<string, number>> {
  const rows = await ctx.db.query<{ part: string; rows: number }>(
    `select tableoid::regclass::text as part, count(*) as rows from ${table} group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ part, rows: count }) => [part, count]))
}

async function twoFriends(service: Service) {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const nftaddr = newWallet()
  const pair = { fromaddr: alice, toaddr: bob }
  return {
    alice,
    bob,
    asAlice,
    asBob,
    pair,
    nftaddr,
    /** Writes this many direct messages, and as many posts. */
    async write(count: number) {
      for (let n = 0; n < count; n++) {
        await asAlice.sendDirectMessage({ body: { ...pair, message: `gm ${n}`, nftaddr, nftid: '7' } })
        await asBob.postGroupMessage({ body: { fromaddr: bob, nftaddr, message: `hi ${n}` } })
      }
    },
    /** Returns what Bob sees in all lists. */
    view: () =>
      Promise.all([
        asBob.listConversation(pair),
        asBob.listConversation({ ...pair, query: { limit: 3, before: Number.MAX_SAFE_INTEGER } }),
        asBob.listConversationSince({ ...pair, time: '0' }),
        asBob.listDirectMessages({ address: bob, query: { limit: 4 } }),
        asBob.listNftMessagesOfWallet({ address: bob, nftaddr, nftid: '7' }),
        asBob.getInbox({ address: bob }),
        asBob.countUnread({ address: bob }),
        asBob.listGroupMessages({ address: nftaddr, useraddress: bob }),
      ]),
  }
}

onOneMachine(
  'tables are cut while the service runs, again and again; what it shows and writes is as before',
  async () => {
    await using service = await startService()
    const t = await twoFriends(service)
    await using stream = await listenTo(service, t.bob)
    for (const round of [1, 2, 3]) {
      await t.write(6)
      const before = await t.view()
      const lines = await cut(service)
      expect(lines).toEqual([
        expect.stringMatching(
          new RegExp(
            `^direct_messages: the next part, direct_messages_${round + 1}, begins with the id \\d+$`,
          ),
        ),
        expect.stringMatching(
          new RegExp(`^group_messages: the next part, group_messages_${round + 1}, begins with the id \\d+$`),
        ),
      ])
      expect(await t.view()).toEqual(before)
    }
    await t.write(6)
    for (const table of ['direct_messages', 'group_messages']) {
      const parts = await partsOf(service, table)
      expect(Object.keys(parts)).toEqual([1, 2, 3, 4].map((n) => `${table}_${n}`))
      expect(Object.values(parts).reduce((sum, rows) => sum + rows)).toBe(24)
    }
    await stream.receives(24)

    // Old and new messages are marked and deleted.
    const all = await t.asBob.listConversation(t.pair)
    const [first, last] = [all[0]!, all.at(-1)!]
    for (const message of [first, last]) {
      await t.asBob.markDirectMessage({ ...message, body: { ...message, read: true } })
      await t.asAlice.deleteDirectMessage({ id: message.id })
    }
    expect(await t.asBob.countUnreadOfConversation(t.pair)).toBe(22)
    const faults: unknown[] = []
    await check({ databaseUrl: service.databaseUrl, onFault: (fault) => faults.push(fault) })
    expect(faults).toEqual([])
  },
)

onOneMachine(
  'nobody waits long while a transaction keeps the cut waiting; a new part is not cut before it is used',
  async () => {
    await using service = await startService()
    const t = await twoFriends(service)
    await t.write(2)
    const reader = new pg.Client({ connectionString: service.databaseUrl })
    await reader.connect()
    await reader.query('begin')
    await reader.query('select count(*) from direct_messages')
    const cutting = cut(service, 1000)
    for (let n = 0; n < 20; n++) await t.write(1)
    await reader.query('commit')
    await reader.end()
    expect(await cutting).toHaveLength(2)
    expect(await t.asBob.listConversation(t.pair)).toHaveLength(22)
    expect(await cut(service, 1000)).toEqual([
      'direct_messages: nothing to cut, its newest part direct_messages_2 is not in use yet',
      'group_messages: nothing to cut, its newest part group_messages_2 is not in use yet',
    ])
  },
)

onOneMachine('a cut that fails or is killed leaves nothing behind that would refuse messages', async () => {
  await using service = await startService()
  const t = await twoFriends(service)
  await t.write(2)
  const stop = new AbortController()
  const { databaseUrl } = service
  const aborted = cutTables({
    databaseUrl,
    margin: 3,
    signal: stop.signal,
    log: () => stop.abort(new Error('stopped')),
  })
  await expect(aborted).rejects.toThrow('stopped')
  await t.write(3)

  // The cut was killed after its first step.
  const { db } = service.ctx
  await db.query('alter table direct_messages add constraint end_of_part check (id < 1) not valid')
  await expect(t.write(1)).rejects.toThrow()
  await undoKilledCut(db)
  await t.write(1)
  expect(await partsOf(service, 'direct_messages')).toEqual({ direct_messages: 6 })

  // The next cut may also go on from there.
  const [{ max } = { max: 0 }] = await db.query<{ max: number }>('select max(id) from direct_messages')
  await db.query(`alter table direct_messages add constraint end_of_part check (id < ${max + 64}) not valid`)
  expect((await cut(service))[0]).toContain(`begins with the id ${max + 64}`)
})

onOneMachine('a later migration adds columns and indexes to all parts, and a cut after it too', async () => {
  await using service = await startService()
  const t = await twoFriends(service)
  await t.write(4)
  await cut(service)
  await t.write(4)
  const { db } = service.ctx
  await db.query(
    `alter table direct_messages add column mood text not null default 'calm' check (mood <> '')`,
  )
  await db.query('create index direct_messages_mood on direct_messages (mood, id)')
  await db.query('drop index direct_messages_ms')
  await cut(service)
  await t.write(4)
  const parts = await partsOf(service, 'direct_messages')
  expect(Object.keys(parts)).toEqual(['direct_messages_1', 'direct_messages_2', 'direct_messages_3'])
  const indexes = await db.query<{ table: string; count: number }>(
    `select indrelid::regclass::text as table, count(*) from pg_index
     where indrelid::regclass::text like 'direct\\_messages%' group by 1`,
  )
  expect(new Set(indexes.map(({ count }) => count))).toEqual(new Set([14]))
  expect(await t.asBob.listConversation(t.pair)).toHaveLength(12)
})

onOneMachine(
  'a backup holds each message of all parts once, and is restored into a database that was never cut',
  async () => {
    await using service = await startService()
    await using folder = await newFolder('cut')
    await using elsewhere = await newDatabase()
    const t = await twoFriends(service)
    for (let n = 0; n < 3; n++) {
      await t.write(5)
      await cut(service)
    }
    const file = `${folder.path}/backup.zip`
    const { tables } = await backUp({
      databaseUrl: service.databaseUrl,
      version: '0',
      to: file,
      fileStore: service.ctx.fileStore,
    })
    expect(tables.direct_messages!.rows).toBe(15)
    expect(Object.keys(tables).filter((name) => /_\d$/.test(name))).toEqual([])
    await restore({ databaseUrl: elsewhere.databaseUrl, file })
    await using restored = await startService({ beside: elsewhere })
    expect(await (await restored.as(t.bob)).listConversation(t.pair)).toEqual(
      await t.asBob.listConversation(t.pair),
    )
  },
)

onOneMachine(
  'in a part that is still empty, lists keep to the index of their conversation or chat, for when it is full',
  async () => {
    await using service = await startService()
    const t = await twoFriends(service)
    await t.write(5)
    const { db } = service.ctx
    await db.query(
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
     select n % 64, n % 500, next_id_v1(n % 64, null), 'w' || n % 500, 'v' || n % 500, 'z', n from generate_series(1, 5000) n`,
    )
    await db.query(
      `insert into group_messages (bucket, chat, id, fromaddr, message, ms)
     select n % 64, 'c' || n % 500, next_id_v1(n % 64, null), 'w' || n % 500, 'z', n from generate_series(1, 5000) n`,
    )
    await db.query('vacuum analyze')
    await cut(service)
    const texts = new Set<string>()
    const recording: Db = {
      ...db,
      inTransaction: false,
      query: (sql, ...more) => db.query(sql, ...(texts.add(sql), more)),
    }
    const newest = { limit: 5, before: Number.MAX_SAFE_INTEGER }
    for (const page of [{}, { limit: 5 }, newest]) {
      for (const list of [
        lists.findConversation(recording, t.bob, t.alice, page),
        lists.findConversationSince(recording, t.bob, t.alice, 0, page),
        findMessages(recording, t.nftaddr, t.bob, Number.MAX_SAFE_INTEGER, page),
      ])
        for await (const _ of pagesOf(list, recording));
    }
    await findInbox(recording, t.bob)
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    for (const text of texts) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/messages_2_pkey/)
      expect(plan).not.toMatch(/messages_2_id_idx|Seq Scan on \w+_messages_2/)
    }
    await client.end()
  },
)
