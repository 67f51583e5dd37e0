import type { GroupChatItem } from '@parley/sdk'
import { expect, test } from 'vitest'
import { check } from '../../check/check.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { friends as friendsOf } from '../../../../testing/people/friends.ts'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const other = useService({ beside: service })
const friends = (of = service) => friendsOf(of)
const conflict = { status: 409, code: 'conflict' }
const sealed = { encrypted_sym_x_key: 'k'.repeat(60), x_access_conditions: '{}' }

test('an edit keeps id, time, place and read flag; both ends see the text, the earlier one, and an event; nothing is unread', async () => {
  const t = await friends()
  await t.asBob.markDirectMessage({ ...t.pair, body: { ...t.one, read: true } })
  await using atBob = await listenTo(service, t.bob)
  await using atAlice = await listenTo(service, t.alice)
  const edited = await t.edit('one, better')
  expect(edited).toEqual({
    ...t.one,
    read: true,
    message: 'one, better',
    revision: 1,
    edited_at: expect.any(String),
  })
  for (const stream of [atBob, atAlice]) {
    await stream.receives(1)
    expect(stream.events()).toEqual([{ type: 'edited', id: t.one.id, fromaddr: t.alice, item: edited }])
  }
  for (const client of [t.asAlice, t.asBob]) {
    expect(await t.seenBy(client)).toEqual(edited)
    expect(await client.listEdits({ id: t.one.id })).toEqual([
      { revision: 0, message: 'one', timestamp: t.one.timestamp },
    ])
    // A client that polls for all since the time before it sees the new text too.
    const since = await client.listConversationSince({ ...t.pair, time: '0', query: {} })
    expect(since[0]).toEqual(edited)
  }
  expect(await t.asBob.countUnreadTotal({ address: t.bob })).toBe(0)
  const [row] = await t.asBob.getInbox({ address: t.bob })
  expect(row).toMatchObject({ message: 'two', unread: 0 })
})

test('the inbox of both ends shows the new text of the newest message, in its old shape', async () => {
  const t = await twoWallets(service)
  const one = await t.send('one')
  const before = await t.asBob.getInbox({ address: t.bob })
  await t.asAlice.editMessage({ id: one.id, body: { message: 'better', revision: 0 } })
  expect(await t.asBob.getInbox({ address: t.bob })).toEqual([{ ...before[0], message: 'better' }])
  expect((await t.asAlice.getInbox({ address: t.alice }))[0]).toMatchObject({ message: 'better' })
})

test('of two edits at once one wins, and the other gets the message as it is now', async () => {
  const t = await friends()
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((text) => t.edit(text)))
  const won = outcomes.filter(({ status }) => status === 'fulfilled')
  expect(won).toHaveLength(1)
  const now = await t.seenBy(t.asBob)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ ...conflict, current: { message: now.message, revision: 1 } })
  // The same text once more is no edit.
  expect(await t.edit(now.message, 1)).toEqual(now)
})

test('a message is edited ten times, by its author alone, and never to empty', async () => {
  const t = await friends()
  for (let n = 0; n < 10; n++) await t.edit(`version ${n + 1}`, n)
  await expect(t.edit('once more', 10)).rejects.toMatchObject(conflict)
  expect(await t.asBob.listEdits({ id: t.one.id })).toHaveLength(10)
  await expect(t.edit('', 10)).rejects.toMatchObject({ status: 400 })
  const body = { message: 'mine', revision: 10 }
  await expect(t.asBob.editMessage({ id: t.one.id, body })).rejects.toMatchObject({ code: 'forbidden' })
  const asCarol = await service.as(newWallet())
  for (const id of [t.one.id, 0, t.one.id + 64])
    await expect(asCarol.editMessage({ id, body })).rejects.toMatchObject({ code: 'not_found' })
  await expect(asCarol.listEdits({ id: t.one.id })).rejects.toMatchObject({ code: 'not_found' })
  for (const more of [{ revision: -1 }, { revision: 11 }, { writing: true }])
    await expect(t.edit('x', 10, more)).rejects.toMatchObject({ status: 400 })
})

test('after a day a message stays as it is', async () => {
  const t = await friends()
  await service.ctx.db.query('update direct_messages set ms = ms - 86400000 where bucket = $1 and id = $2', [
    t.one.id % 64,
    t.one.id,
  ])
  await expect(t.edit('late')).rejects.toMatchObject(conflict)
})

test('a text may become encrypted, and an encrypted one stays so', async () => {
  const t = await friends()
  await expect(t.edit('x', 0, { x_access_conditions: '{}' })).resolves.toMatchObject({ revision: 1 })
  const now = await t.edit('ciphertext', 1, sealed)
  expect(now).toMatchObject(sealed)
  await expect(t.edit('clear again', 2)).rejects.toMatchObject(conflict)
  await t.edit('ciphertext 2', 2, sealed)
  expect(await t.asBob.listEdits({ id: t.one.id })).toMatchObject([
    { message: 'one' },
    { message: 'x' },
    { message: 'ciphertext', ...sealed },
  ])
})

test('requests that are not accepted have a limit of bytes, by edits too', async () => {
  const t = await twoWallets(service)
  await t.asBob.setDmPolicy({ body: { who: 'requests' } })
  const one = await t.send('one')
  const edit = (message: string, revision: number) =>
    t.asAlice.editMessage({ id: one.id, body: { message, revision } })
  await edit('x'.repeat(16_000), 0)
  await expect(edit('x'.repeat(16_385), 1)).rejects.toMatchObject(conflict)
  await t.answer('accepted')
  await edit('x'.repeat(16_385), 1)
})

test('an edit is refused as a new message is by what its recipient has decided since', async () => {
  const t = await twoWallets(service)
  const one = await t.send('one')
  const edit = (message: string, revision = 0) =>
    t.asAlice.editMessage({ id: one.id, body: { message, revision } })
  await t.asBob.setDmPolicy({ body: { who: 'contacts' } })
  await expect(edit('buy')).rejects.toMatchObject({ status: 403, code: 'not_accepting' })
  await t.asBob.setDmPolicy({ body: { who: 'requests' } })
  await expect(edit('x'.repeat(16_385 + 3))).rejects.toMatchObject(conflict)
  await edit('a request')
  await t.asBob.setDmPolicy({ body: { who: 'contacts' } })
  await t.asBob.setContact({ peer: t.alice, body: { state: 'accepted' } })
  await edit('x'.repeat(20_000), 1)
})

test('a post that waits for a moderator stays as the moderator reads it', async () => {
  const town = newName('town')
  const [owner, member] = await newCommunity(service, town)
  await owner.rules({ words: ['wait'] })
  const post = await member.post('please wait')
  expect(post).toMatchObject({ held: true })
  const edit = (message: string) => member.client.editMessage({ id: post.id, body: { message, revision: 0 } })
  await expect(edit('please')).rejects.toMatchObject(conflict)
  const [held] = await owner.client.listHeldPosts({ nftaddr: town })
  expect(held).toMatchObject({ message: 'please wait' })
})

test('posts are edited as they are posted: not by a muted wallet, in a closed chat or with words that a moderator reviews', async () => {
  const town = newName('town')
  const [owner, member] = await newCommunity(service, town)
  const post = await member.post('hello')
  const edit = async (message: string, revision = 0) =>
    (await member.client.editMessage({ id: post.id, body: { message, revision } }))[0] as GroupChatItem
  await using stream = await listenTo(service, owner.address)
  await owner.rules({ slow_seconds: 60, words: ['wait'] })
  await expect(edit('please wait')).rejects.toMatchObject(conflict)
  const edited = await edit('hello, all')
  await stream.receives(1)
  expect(stream.events()).toEqual([{ type: 'edited', id: post.id, fromaddr: member.address, item: edited }])
  expect(await owner.read()).toEqual([edited])
  expect(await owner.row()).toMatchObject({ message: 'hello, all', unread: 0 })
  const [page] = await owner.client.getCommunity({ community: town, address: owner.address })
  expect(page!.messages).toMatchObject([{ id: post.id, message: 'hello, all' }])
  expect(await owner.client.listEdits({ id: post.id })).toMatchObject([{ revision: 0, message: 'hello' }])
  await expect(edit('x'.repeat(10), 1)).resolves.toMatchObject({ revision: 2 })
  await expect(
    member.client.editMessage({ id: post.id, body: { message: 'x', revision: 2, ...sealed } }),
  ).rejects.toMatchObject({ status: 400 })
  await owner.restrict(member.address, { muted_until: 'forever' })
  await expect(edit('muted', 2)).rejects.toMatchObject({ status: 403 })
  await owner.restrict(member.address, {})
  await member.remove(post.id)
  await expect(edit('removed', 2)).rejects.toMatchObject({ code: 'not_found' })
  await expect(owner.client.listEdits({ id: post.id })).rejects.toMatchObject({ code: 'not_found' })
  const faults: string[] = []
  await check({
    databaseUrl: service.databaseUrl,
    onFault: ({ row, wrong }) => faults.push(`${row}: ${wrong.join('; ')}`),
  })
  expect(faults).toEqual([])
})

test('an export has what stood before', async () => {
  const t = await friends()
  await t.edit('one, better')
  const [, member] = await newCommunity(service, newName('town'))
  const post = await member.post('hello')
  await member.client.editMessage({ id: post.id, body: { message: 'hello, all', revision: 0 } })
  const exported = async (client: typeof t.asAlice, address: string) =>
    unzip(Buffer.from(await new Response(await client.exportAccount({ address })).arrayBuffer()))
  const lines = (text: Buffer | undefined) =>
    String(text)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string; edits?: unknown })
  const direct = lines((await exported(t.asBob, t.bob)).get('direct-messages.jsonl'))
  expect(direct[0]).toMatchObject({ message: 'one, better', edits: [{ rev: 0, message: 'one' }] })
  expect(direct[1]).not.toHaveProperty('edits')
  const posts = lines((await exported(member.client, member.address)).get('group-messages.jsonl'))
  expect(posts).toMatchObject([{ message: 'hello, all', edits: [{ rev: 0, message: 'hello' }] }])
})

test('a deleted message leaves no text of any revision in any table', async () => {
  const t = await friends()
  const town = newName('town')
  const [, member] = await newCommunity(service, town)
  const post = await member.post('mark-a')
  const texts = ['mark-b', 'mark-c', 'mark-d']
  for (const [n, text] of texts.entries()) {
    await t.edit(text, n)
    await member.client.editMessage({ id: post.id, body: { message: text, revision: n } })
  }
  const tables = await service.ctx.db.query<{ name: string }>(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const withText = async () => {
    const found: string[] = []
    for (const { name } of tables)
      if (
        (await service.ctx.db.query(`select 1 as one from ${name} r where r::text ~ 'mark-[a-d]'`)).length > 0
      )
        found.push(name)
    return found
  }
  expect(await withText()).toEqual(
    expect.arrayContaining(['public.direct_messages', 'public.group_messages']),
  )
  await t.asAlice.deleteDirectMessage({ id: t.one.id })
  await member.remove(post.id)
  expect(await withText()).toEqual([])
})

test('another instance delivers the edit, and a client that was away gets it', async () => {
  const t = await friends()
  await using there = await listenTo(other, t.bob)
  const edited = await t.edit('better')
  await there.receives(1)
  expect(there.events()).toEqual([{ type: 'edited', id: t.one.id, fromaddr: t.alice, item: edited }])
  await using later = await listenTo(service, t.bob, { lastEventId: String(t.one.id) })
  await expect
    .poll(() => later.events())
    .toContainEqual({ type: 'edited', id: t.one.id, fromaddr: t.alice, item: edited })
})

test('a bot replaces its text while it makes it, once a second, and that is no edit', async () => {
  const t = await friends()
  await t.asBob.becomeBot()
  const [draft] = await t.asBob.sendDirectMessage({
    body: { fromaddr: t.bob, toaddr: t.alice, message: 'The' },
  })
  await using stream = await listenTo(service, t.alice)
  const write = (message: string, writing = true) =>
    t.asBob.editMessage({ id: draft!.id, body: { message, revision: 0, writing } })
  await write('The answer')
  await write('The answer is')
  await stream.receives(2)
  expect(stream.events().at(-1)).toMatchObject({ type: 'edited', writing: true })
  const [shown] = await t.asAlice.listConversation({ ...t.pair, query: { after: draft!.id - 1 } })
  expect(shown).toEqual({ ...draft, message: 'The answer is' })
  expect(await t.asAlice.listEdits({ id: draft!.id })).toEqual([])
  const place = [draft!.id % 64, draft!.id]
  await service.ctx.db.query(
    'update direct_messages set ms = ms - 120000 where bucket = $1 and id = $2',
    place,
  )
  await expect(write('The answer is late')).rejects.toMatchObject(conflict)
  await write('The answer is 42.', false)
})

const limited = useService({ beside: service, rateLimits: true })

test('a wallet reacts to one message five times at once, and a bot replaces its text twice at once', async () => {
  const t = await friends(limited)
  for (let n = 0; n < 5; n++) await t.asBob.react({ id: t.one.id, body: { values: n % 2 ? ['👍'] : [] } })
  const refused = { status: 429, retryAfter: expect.any(Number) }
  await expect(t.asBob.react({ id: t.one.id, body: { values: ['👍'] } })).rejects.toMatchObject(refused)
  await t.asAlice.react({ id: t.one.id, body: { values: ['👍'] } })
  await t.asAlice.becomeBot()
  for (const text of ['a', 'b']) await t.edit(text, 0, { writing: true })
  await expect(t.edit('c', 0, { writing: true })).rejects.toMatchObject(refused)
  await expect(t.edit('c')).resolves.toMatchObject({ revision: 1 })
})
