import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { newDatabase } from '../../../testing/service/database.ts'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../testing/service/service.ts'
import { insertSession } from '../features/sign-in/sessions.ts'
import { check } from './check.ts'
import { onOneMachine } from '../../../testing/service/engines.ts'

const service = useService()

const faultsIn = async ({ databaseUrl }: { databaseUrl: string }): Promise<string[]> => {
  const lines: string[] = []
  const { faults } = await check({
    databaseUrl,
    onFault: ({ row, wrong }) => lines.push(`${row}: ${wrong.join('; ')}`),
  })
  expect(faults).toBe(lines.length)
  return lines
}

const pixel = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==`

/** Stores one of everything, written over the interface. */
async function populate(on: Service, town = newName('Town')) {
  const [alice, bob] = [newWallet(), newWallet()].toSorted() as [string, string]
  const [asAlice, asBob] = [await on.as(alice), await on.as(bob)]
  const dm = async (message: string, more = {}) =>
    (await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message, ...more } }))[0]!
  await asAlice.setName({ body: { address: alice, name: `${newName('Alice')} "A" \\` } })
  await asAlice.createImage({ body: { addr: alice, base64data: pixel } })
  await asBob.updateSettings({ body: { walletaddr: bob, email: 'bob@example.org', notifydm: 'true' } })
  await insertSession(on.ctx.db, bob, 'Firefox on Linux')
  await asAlice.createCommunity({ body: { community: town, social: [] } })
  await asBob.joinChat({ body: { walletaddr: bob, nftaddr: town.toLowerCase() } })
  const post = async (message: string) => {
    await asAlice.postCommunityMessage({ body: { fromaddr: alice, nftaddr: town, message } })
  }
  await post('one')
  await asBob.listGroupMessages({ address: town, useraddress: bob })
  await post('two "quoted" \\ \n \t é 𝄞')
  const nft = { nftaddr: newWallet(), nftid: '7' }
  for (const message of ['a', 'b']) await asBob.createComment({ body: { fromaddr: bob, ...nft, message } })
  const first = await dm('one')
  await dm('two')
  await asBob.markDirectMessage({ fromaddr: alice, toaddr: bob, body: { ...first, read: true } })
  const last = await dm('three "quoted" \\ \n \t é 𝄞', { nftaddr: nft.nftaddr, nftid: '7' })
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: alice, message: 'to myself' } })
  return { alice, bob, asAlice, asBob, first, last, dm, post, nft, town }
}

onOneMachine('a database that a service has written has no fault, whatever was done', async () => {
  const t = await populate(service)
  expect(await faultsIn(service)).toEqual([])
  // They are sent together, so that batches are stored; then come deletions and erasure.
  await Promise.all(Array.from({ length: 30 }, (_, i) => t.dm(`batch ${i}`)))
  await Promise.all(Array.from({ length: 30 }, (_, i) => t.post(`batch ${i}`)))
  await t.dm('x'.repeat(5000))
  expect(await faultsIn(service)).toEqual([])
  await t.asAlice.deleteDirectMessage({ id: t.first.id })
  const newest = await t.dm('newest')
  await t.asAlice.deleteDirectMessage({ id: newest.id })
  await t.asBob.deleteComments({ fromaddr: t.bob, ...t.nft })
  await t.asBob.leaveChat({ body: { walletaddr: t.bob, nftaddr: t.town } })
  expect(await faultsIn(service)).toEqual([])
  for (const nftaddr of [t.town, t.nft.nftaddr])
    await t.asBob.joinChat({ body: { walletaddr: t.bob, nftaddr } })
  expect(await faultsIn(service)).toEqual([])
  await t.asBob.eraseAccount({ address: t.bob })
  await t.dm('after')
  expect(await faultsIn(service)).toEqual([])
  await t.asAlice.deleteConversation({ fromaddr: t.alice, toaddr: t.bob })
  await t.asAlice.eraseAccount({ address: t.alice })
  expect(await faultsIn(service)).toEqual([])
})

onOneMachine('whatever is wrong is found and named by its row, and no text is shown', async () => {
  await using own = await startService()
  const { alice, bob, first, last } = await populate(own, 'Town')
  const { db } = own.ctx
  /** Changes something, and returns what is then reported. */
  const breaks = async (sql: string, fault: RegExp | string) => {
    expect(await db.query(`${sql} returning 1 as changed`), sql).not.toEqual([])
    const faults = await faultsIn(own)
    expect(faults.join('\n'), sql).toMatch(fault)
    expect(faults.join('\n')).not.toMatch(/quoted|to myself|Alice|example/)
    return faults
  }
  const [conversation] = await db.query<{ id: number }>(
    'select id from conversations where a = $1 and b = $2',
    [alice, bob],
  )
  const ofPair = `where a = '${alice}' and b = '${bob}'`
  const mend = async (sql: string) =>
    expect(await db.query(`${sql} returning 1 as changed`), sql).not.toEqual([])
  /** Breaks something, sees it reported as the only fault, and mends it: what stays broken is one more fault of the next one. */
  const oneFault = async (broken: string, mended: string, fault: string) => {
    expect(await breaks(broken, '')).toEqual([fault])
    await mend(mended)
  }
  const update = async (table: string, where: string, column: string, to: string, fault: string) => {
    const key = `${table} set ${column} =`
    await db.query(`create table kept as select ${column} as value from ${table} ${where}`)
    await oneFault(
      `update ${key} ${to} ${where}`,
      `update ${key} (select value from kept limit 1) ${where}`,
      fault,
    )
    await db.query('drop table kept')
  }

  const row = `conversations ${conversation!.id}`
  await update('conversations', ofPair, 'unread_b', '7', `${row}: unread_b is 7, a recount says 2`)
  await update('conversations', ofPair, 'unread_a', '1', `${row}: unread_a is 1, a recount says 0`)
  await update('conversations', ofPair, 'last_ms', '5', `${row}: last_ms is before its newest message`)
  await update(
    'conversations',
    ofPair,
    'last_read',
    'true',
    `${row}: last_read is not the flag of message ${last.id}`,
  )
  await update(
    'conversations',
    ofPair,
    'last_is_from_a',
    'false',
    `${row}: last_is_from_a is not the sender of message ${last.id}`,
  )
  await update(
    'conversations',
    ofPair,
    'last_item',
    `replace(last_item, 'three', 'four')`,
    `${row}: it does not show message ${last.id} as it is`,
  )
  for (const [set, fault] of [
    [`own = '{"rev":1,"ms":1,"message":"quoted"}'`, 'is edited, but marks do not say so'],
    [
      `own = '{"rev":0,"ms":1,"message":"quoted"}', rev = 1, edited_ms = 1, marks = 17`,
      'has a version that is not before it',
    ],
    [
      `edits = '[{"rev":2,"ms":1,"message":"quoted"}]', rev = 2, edited_ms = 1, marks = 1`,
      'has a version that is not before it',
    ],
    [
      `own = '{"rev":1,"ms":1,"message":"quoted"}', marks = 17, hidden_from_sender = true`,
      'has a text for its author, who does not see it',
    ],
  ])
    await oneFault(
      `update direct_messages set ${set} where id = ${first.id}`,
      `update direct_messages set own = null, edits = null, rev = null, edited_ms = null, marks = 0, hidden_from_sender = false where id = ${first.id}`,
      `${row}: message ${first.id} ${fault}`,
    )
  await oneFault(
    `update direct_messages set reacted = array['[]', null] where id = ${first.id}`,
    `update direct_messages set reacted = null where id = ${first.id}`,
    `direct_messages ${first.id}: its reacted is not what its reactions are`,
  )
  await update(
    'direct_messages',
    `where id = ${last.id}`,
    'message',
    `'changed'`,
    `${row}: it does not show message ${last.id} as it is`,
  )
  await update(
    'conversations',
    ofPair,
    'last_id',
    String(first.id),
    `${row}: last_id is ${first.id}, the newest message is ${last.id}; it does not show message ${first.id} as it is; last_read is not the flag of message ${first.id}`,
  )
  await update(
    'direct_messages',
    `where id = ${first.id}`,
    'read',
    'false',
    `${row}: unread_b is 2, a recount says 3`,
  )
  await update(
    'direct_messages',
    `where id = ${first.id}`,
    'toaddr',
    `'0x'`,
    `${row}: message ${first.id} is of other wallets`,
  )
  const early = (
    await breaks(`update direct_messages set ms = ms + 10000 where id = ${first.id}`, /earl|later/)
  )[0]!
  expect(early).toMatch(/^conversations \d+: message \d+ is not later than the one before it/)
  await mend(`update direct_messages set ms = ms - 10000 where id = ${first.id}`)

  await update('group_chats', '', 'posted', '9', 'group_chats town: posted is 9, a recount says 2')
  await update('group_chats', '', 'members', '9', 'group_chats town: members is 9, a recount says 1')
  await update('group_chats', '', 'last_ms', '5', 'group_chats town: last_ms is before its newest message')
  await breaks(`update group_chats set last_fromaddr = '0x'`, /last_fromaddr is not the sender/)
  await mend(`update group_chats set last_fromaddr = '${alice}'`)
  const visit = (wallet: string) => `group_visits town ${wallet}`
  const ofAlice = `where walletaddr = '${alice}'`
  const ofBob = `where walletaddr = '${bob}'`
  await update('group_visits', ofAlice, 'posted', '9', `${visit(alice)}: posted is 9, a recount says 2`)
  await update('group_visits', ofBob, 'seen', '2', `${visit(bob)}: seen is 2, a recount says 1`)
  await update('group_visits', ofBob, 'seen_own', '1', `${visit(bob)}: seen_own is 1, a recount says 0`)
  await update(
    'group_visits',
    ofBob,
    'joined',
    'false',
    `${visit(bob)}: there is a bookmark, but joined is not true`,
  )
  await update(
    'group_visits',
    ofAlice,
    'joined',
    'true',
    `${visit(alice)}: joined is true, but there is no bookmark`,
  )
  const thread = (
    await breaks('update comment_threads set comments = 9', /comments is 9, a recount says 2/)
  )[0]!
  expect(thread).toMatch(/^comment_threads \d+: /)
  await mend('update comment_threads set comments = 2')
  await breaks('update profiles set name = null', /^names \d+: profiles has another name$/)
  await mend(`update profiles set name = (select to_json(name) from names)`)
  await breaks('update profiles set logo = null', /^images \d+: profiles has no small picture$/)
  await mend(`update profiles set logo = '""'`)
  await breaks(
    `insert into profiles values ('0x', '"x"', '""')`,
    /^profiles 0x: it has a name .*; it has a small picture/,
  )
  await mend(`delete from profiles where address = '0x'`)
  await breaks('delete from log_readers', /^log_readers: it has no row dm-mails$/)
  await mend(`insert into log_readers values ('dm-mails', 0, 0, 0)`)
  await breaks('delete from buckets where bucket = 5', /^buckets: it has not one row for each/)
  await mend('insert into buckets (bucket) values (5)')
  await breaks(
    `delete from group_visits where walletaddr = '${alice}'`,
    /^group_visits town 0x\w+: it has messages, but no row$/,
  )
})

onOneMachine(
  'a row that lies in another bucket than it should, or whose id names another, is found in every table',
  async () => {
    await using own = await startService()
    await populate(own, 'Town')
    const { db } = own.ctx
    const tables = [
      'conversations',
      'group_chats',
      'group_visits',
      'comment_threads',
      'communities',
      'events',
    ]
    const ofWallets = ['names', 'images', 'sessions', 'settings', 'bookmarks', 'wallet_usage']
    const moves: { table: string; fault: string; back: () => Promise<unknown> }[] = []
    for (const table of [...tables, ...ofWallets]) {
      const bucket = ofWallets.includes(table) ? 'wbucket' : 'bucket'
      const [row] = await db.query<{ ctid: string; was: number }>(
        `select ctid::text, ${bucket} as was from ${table} limit 1`,
      )
      const move = async (ctid: string) => {
        const [moved] = await db.query<{ ctid: string }>(
          `update ${table} set ${bucket} = 63 - ${bucket} where ctid = $1::tid returning ctid::text`,
          [ctid],
        )
        return moved!.ctid
      }
      const moved = await move(row!.ctid)
      const fault = `it lies in bucket ${63 - row!.was} instead of ${row!.was}`
      moves.push({ table, fault, back: () => move(moved) })
    }
    const found = await faultsIn(own)
    for (const { table, fault } of moves)
      expect(found.filter((line) => line.startsWith(`${table} `)).join('\n'), table).toContain(fault)
    for (const { back } of moves) await back()
    expect(await faultsIn(own)).toEqual([])
    const namings = Object.entries({
      direct_messages: /^conversations \d+: message \d+ names another bucket/m,
      group_messages: /^group_chats town: message \d+ names another bucket/m,
      comments: /^comment_threads \d+: comment \d+ names another bucket/m,
      events: /^events \d+: its id \d+ names bucket \d+/m,
      names: /^names \d+: its id \d+ names bucket \d+/m,
      settings: /^settings \d+: its id \d+ names bucket \d+/m,
    })
    for (const [table] of namings) await db.query(`update ${table} set id = id + 1`)
    const misnamed = (await faultsIn(own)).join('\n')
    for (const [table, fault] of namings) expect(misnamed, table).toMatch(fault)
    for (const [table] of namings) await db.query(`update ${table} set id = id - 1`)
    expect(await faultsIn(own)).toEqual([])
  },
)

onOneMachine('messages, posts, comments and members without their row are found', async () => {
  await using own = await startService()
  await populate(own, 'Town')
  for (const table of ['conversations', 'group_chats', 'comment_threads'])
    await own.ctx.db.query(`delete from ${table}`)
  const faults = (await faultsIn(own)).join('\n')
  for (const fault of [
    /^conversations \d+: it has messages, but no row$/m,
    /^group_chats town: it has messages, but no row$/m,
    /^group_chats town: it has members, but no row$/m,
    /^comment_threads \d+: it has comments, but no row$/m,
  ])
    expect(faults).toMatch(fault)
})

onOneMachine('a check beside writers reports nothing, and each of many pages is checked', async () => {
  await using own = await startService()
  await using other = await startService({ beside: own })
  const wallets = Array.from({ length: 40 }, newWallet)
  const clients = await Promise.all(wallets.map((address, i) => (i % 2 ? own : other).as(address)))
  const state = { writing: true }
  const turns = wallets.map(() => 0)
  const writers = clients.map(async (client, i) => {
    const fromaddr = wallets[i]!
    for (let n = 0; state.writing; n++) {
      turns[i] = n
      const toaddr = wallets[(i + n) % wallets.length]!
      const [sent] = await client.sendDirectMessage({ body: { fromaddr, toaddr, message: `${n}` } })
      await client.postGroupMessage({ body: { fromaddr, nftaddr: wallets[n % 3]!, message: 'x' } })
      // The other side may have deleted it already.
      if (n % 4 === 0) await client.deleteDirectMessage({ id: sent!.id }).catch(() => {})
      if (n % 5 === 0) await client.joinChat({ body: { walletaddr: fromaddr, nftaddr: wallets[0]! } })
      if (n % 5 === 3) await client.leaveChat({ body: { walletaddr: fromaddr, nftaddr: wallets[0]! } })
      if (n % 6 === 0) await client.deleteConversation({ fromaddr, toaddr })
      if (n % 7 === 0) await client.listGroupMessages({ address: wallets[0]!, useraddress: fromaddr })
      if (n % 8 === 0) await client.setName({ body: { address: fromaddr, name: `name ${i} ${n}` } })
      if (n % 9 === 0)
        await client.createComment({ body: { fromaddr, nftaddr: wallets[0]!, nftid: '1', message: 'x' } })
    }
  })
  // Until there are several pages of conversations, which is after as many turns on any machine.
  for (let checks = 0; checks < 5 || Math.min(...turns) < 20; checks++)
    expect(await faultsIn(own)).toEqual([])
  state.writing = false
  await Promise.all(writers)
  const shares: number[] = []
  await check({
    databaseUrl: own.databaseUrl,
    onFault: () => expect.fail('nothing is wrong'),
    onProgress: (_what, done, total) => shares.push(done / total),
  })
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBeLessThanOrEqual(1)
  const rows = await own.ctx.db.query<{ id: number }>(
    'update conversations set unread_a = unread_a + 1 returning id',
  )
  expect(rows.length).toBeGreaterThan(600)
  const found = (await faultsIn(own)).map((line) => Number(/^conversations (\d+)/.exec(line)?.[1]))
  expect(new Set(found)).toEqual(new Set(rows.map(({ id }) => id)))
})

onOneMachine('the command prints what is wrong, and says it by its exit code', async () => {
  const { alice, bob } = await populate(service)
  const setUnread = (to: number) =>
    service.ctx.db.query('update conversations set unread_b = $3 where a = $1 and b = $2', [alice, bob, to])
  await setUnread(9)
  const env = { ...process.env, DATABASE_URL: service.databaseUrl, DATA_DIR: service.ctx.config.dataDir }
  const tool = path.join(import.meta.dirname, '../parley.ts')
  const printed: unknown = await promisify(execFile)(process.execPath, [tool, 'check'], { env }).catch(
    (error: unknown) => error,
  )
  await setUnread(2)
  expect(printed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^conversations \d+: unread_b is 9, a recount says 2\n\d+ tables checked in .* s: 1 row is wrong\n$/,
    ),
  })
})

onOneMachine('a database without the tables of this version is refused with what to do', async () => {
  await using database = await newDatabase()
  await expect(faultsIn(database)).rejects.toThrow('no Parley has started on this database')
  const { db } = service.ctx
  const [row] = await db.query<{ name: string; timestamp: string }>(
    `delete from kysely_migration where name = '0007_service.sql' returning *`,
  )
  const faults = await faultsIn(service).catch((error: Error) => error.message)
  await db.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [
    row!.name,
    row!.timestamp,
  ])
  expect(faults).toContain('Start this Parley on the database first')
})
