import { expect, test } from 'vitest'
import { newWallet, useService } from '../../../../testing/service/service.ts'
import { updateRead } from './store.ts'
import { texts, twoWallets } from '../../../../testing/people/two-wallets.ts'

const service = useService()

const punk = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '721' }

test('both wallets read the same conversation, oldest first, from either end', async () => {
  const t = await twoWallets(service)
  await t.send('gm')
  await t.answer('gm back')
  expect(texts(await t.asBob.listConversation(t.pair))).toEqual(['gm', 'gm back'])
  expect(await t.asAlice.listConversation({ fromaddr: t.bob, toaddr: t.alice })).toEqual(
    await t.asBob.listConversation(t.pair),
  )
})

test('a sent message has the shape of the interface, and is listed as it was answered', async () => {
  const t = await twoWallets(service)
  const encryption = { encrypted_sym_x_key: 'k\t"é𝄞', x_access_conditions: '' }
  const sent = await t.send('hello "you" \\ \u2028 👋', { ...punk, ...encryption })
  expect(sent).toEqual({
    id: expect.any(Number),
    fromaddr: t.alice,
    toaddr: t.bob,
    message: 'hello "you" \\ \u2028 👋',
    ...punk,
    ...encryption,
    read: false,
    sender_name: '',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    timestamp_dtm: sent.timestamp,
  })
  expect(await t.asBob.listConversation(t.pair)).toEqual([sent])
})

test('fields that were not sent are left out', async () => {
  const t = await twoWallets(service)
  expect(Object.keys(await t.send('gm')).toSorted()).toEqual(
    ['fromaddr', 'id', 'message', 'read', 'sender_name', 'timestamp', 'timestamp_dtm', 'toaddr'].toSorted(),
  )
  expect(Object.keys((await t.asBob.listConversation(t.pair))[0]!)).not.toContain('nftaddr')
})

test('fields set by the service are ignored in a request', async () => {
  const t = await twoWallets(service)
  const forged = {
    id: 7,
    read: true,
    sender_name: 'root',
    timestamp: '1999-01-01T00:00:00.000Z',
    timestamp_dtm: 5,
    unknown: {},
  }
  const sent = await t.send('gm', forged)
  expect(sent).toMatchObject({ read: false, sender_name: '' })
  expect(sent.timestamp > '2020').toBe(true)
  expect(sent).not.toHaveProperty('unknown')
})

test('addresses are one wallet however their letters are written', async () => {
  const t = await twoWallets(service)
  const shout = (address: string) => `0x${address.slice(2).toUpperCase()}`
  const [sent] = await t.asAlice.sendDirectMessage({
    body: {
      fromaddr: shout(t.alice),
      toaddr: shout(t.bob),
      message: 'gm',
      nftaddr: shout(punk.nftaddr),
      nftid: '1',
    },
  })
  expect(sent).toMatchObject({ fromaddr: t.alice, toaddr: t.bob, nftaddr: punk.nftaddr })
  expect(await t.asBob.listConversation({ fromaddr: shout(t.bob), toaddr: shout(t.alice) })).toEqual([sent])
})

test('addresses of other chains are kept as they are', async () => {
  const t = await twoWallets(service)
  const solana = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
  const sent = (
    await t.asAlice.sendDirectMessage({ body: { fromaddr: t.alice, toaddr: solana, message: 'gm' } })
  )[0]!
  expect(sent.toaddr).toBe(solana)
  expect(await t.asAlice.listConversation({ fromaddr: t.alice, toaddr: solana })).toEqual([sent])
  expect(await t.asAlice.listConversation({ fromaddr: t.alice, toaddr: solana.toLowerCase() })).toEqual([])
})

test('a wallet cannot send as another', async () => {
  const t = await twoWallets(service)
  const forged = t.asBob.sendDirectMessage({ body: { fromaddr: t.alice, toaddr: t.bob, message: 'hi' } })
  await expect(forged).rejects.toMatchObject({ code: 'forbidden' })
  expect(await t.asBob.listConversation(t.pair)).toEqual([])
})

test('a wallet may write to itself; it counts as read', async () => {
  const t = await twoWallets(service)
  await t.asAlice.sendDirectMessage({ body: { fromaddr: t.alice, toaddr: t.alice, message: 'note' } })
  const notes = await t.asAlice.listDirectMessages({ address: t.alice })
  expect(notes).toMatchObject([{ message: 'note', read: true }])
  expect(await t.asAlice.countUnread({ address: t.alice })).toBe(0)
  await t.asAlice.deleteDirectMessage({ id: notes[0]!.id })
  expect(await t.asAlice.getInbox({ address: t.alice })).toEqual([])
})

test("no one reads another wallet's messages", async () => {
  const t = await twoWallets(service)
  await t.send('secret', punk)
  const asEve = await t.service.as(newWallet())
  const { alice: address, pair } = t
  const attempts = [
    () => asEve.listDirectMessages({ address }),
    () => asEve.listConversation(pair),
    () => asEve.listConversationSince({ ...pair, time: '0' }),
    () => asEve.listReadMessages(pair),
    () => asEve.listNftMessages({ address }),
    () => asEve.listNftMessagesOfWallet({ address, ...punk }),
    () => asEve.listNftConversation({ ...pair, ...punk }),
    () => asEve.deleteConversation(pair),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
  expect(await asEve.listNftMessagesOfToken(punk)).toEqual([])
})

test('the recipient marks a message as read and the sender sees it', async () => {
  const t = await twoWallets(service)
  const sent = await t.send('gm')
  const other = await t.send('still there?')
  const [marked] = await t.asBob.markDirectMessage({
    fromaddr: 'ignored',
    toaddr: 'ignored',
    body: { ...sent, read: true },
  })
  expect(marked).toEqual({ ...sent, read: true })
  expect(texts(await t.asAlice.listReadMessages(t.pair))).toEqual(['gm'])
  expect(await t.asBob.listReadMessages(t.pair)).toEqual([])
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(1)

  // Without an id the row is found by sender, recipient and time, and only the flag changes.
  const { fromaddr, toaddr, timestamp } = other
  await t.asBob.markDirectMessage({
    ...t.pair,
    body: { fromaddr, toaddr, timestamp, message: 'changed?', read: true },
  })
  expect(await t.asBob.listConversation(t.pair)).toEqual([
    { ...sent, read: true },
    { ...other, read: true },
  ])

  await t.asBob.markDirectMessage({ ...t.pair, body: { ...sent, read: false } })
  expect(await t.asBob.countUnreadOfConversation(t.pair)).toBe(1)
  expect(await t.asAlice.countUnreadOfConversation(t.pair)).toBe(0)
})

test('only the recipient marks; what is not there is not found', async () => {
  const t = await twoWallets(service)
  const sent = await t.send('gm')
  const mark = { ...t.pair, body: { ...sent, read: true } }
  await expect(t.asAlice.markDirectMessage(mark)).rejects.toMatchObject({ code: 'forbidden' })
  const asEve = await t.service.as(newWallet())
  await expect(asEve.markDirectMessage(mark)).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    t.asBob.markDirectMessage({ ...mark, body: { ...mark.body, id: 999_999 } }),
  ).rejects.toMatchObject({ code: 'not_found' })
  const { id: _, timestamp: __, ...unidentified } = mark.body
  await expect(t.asBob.markDirectMessage({ ...mark, body: unidentified })).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(1)
})

test('a message that is deleted while it is marked is not found, or was marked before', async () => {
  const t = await twoWallets(service)
  for (let i = 0; i < 20; i++) {
    const message = await t.send(`m${i}`)
    const body = { ...message, read: true }
    const [marked, deleted] = await Promise.allSettled([
      t.asBob.markDirectMessage({ ...message, body }),
      t.asAlice.deleteDirectMessage({ id: message.id }),
    ])
    expect(deleted.status).toBe('fulfilled')
    if (marked.status === 'rejected') expect(marked.reason).toMatchObject({ code: 'not_found' })
  }
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(0)
})

test('only the sender deletes a message', async () => {
  const t = await twoWallets(service)
  const { id } = await t.send('oops')
  await t.send('fine')
  await expect(t.asBob.deleteDirectMessage({ id })).rejects.toMatchObject({ code: 'forbidden' })
  const asEve = await t.service.as(newWallet())
  const [stranger, unknown] = await Promise.all([
    asEve.deleteDirectMessage({ id }).catch(String),
    asEve.deleteDirectMessage({ id: 123_456 }).catch(String),
  ])
  expect(stranger).toBe(unknown)

  expect(await t.asAlice.deleteDirectMessage({ id })).toBeUndefined()
  expect(texts(await t.asBob.listConversation(t.pair))).toEqual(['fine'])
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(1)
  await expect(t.asAlice.deleteDirectMessage({ id })).rejects.toMatchObject({ code: 'not_found' })
})

test('either side deletes the whole conversation, twice without harm', async () => {
  const t = await twoWallets(service)
  await t.send('one')
  const last = await t.answer('two')
  await t.asBob.deleteConversation(t.pair)
  await t.asBob.deleteConversation(t.pair)
  expect(await t.asAlice.listDirectMessages({ address: t.alice })).toEqual([])
  expect(await t.asAlice.getInbox({ address: t.alice })).toEqual([])
  expect(await t.asAlice.countUnread({ address: t.alice })).toBe(0)
  expect((await t.send('again')).timestamp > last.timestamp).toBe(true)
})

test('polling with the last timestamp brings exactly what is new', async () => {
  const t = await twoWallets(service)
  const first = await t.send('one')
  const second = await t.answer('two')
  const since = (time: string | number) => t.asBob.listConversationSince({ ...t.pair, time })
  expect(texts(await since(first.timestamp))).toEqual(['two'])
  expect(await since(second.timestamp)).toEqual([])
  expect(texts(await since(`$${first.timestamp}`))).toEqual(['two'])
  expect(texts(await since(Date.parse(first.timestamp)))).toEqual(['two'])
  expect(texts(await since(first.timestamp.replace('Z', '+00:00')))).toEqual(['two'])
  expect(texts(await since('2001-02-03T04:05:06Z'))).toEqual(['one', 'two'])
  for (const time of [
    'yesterday',
    '',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '99999999999999999',
    'NaN',
    '-1',
  ])
    if (time) await expect(since(time)).rejects.toMatchObject({ code: 'bad_request' })
})

test('NFT contexts keep to their token and to the wallets in them', async () => {
  const t = await twoWallets(service)
  const other = { ...punk, nftid: '722' }
  await t.send('plain')
  await t.send('punk', punk)
  await t.answer('punk too', punk)
  await t.send('other', other)
  const asEve = await t.service.as(newWallet())
  expect(texts(await t.asAlice.listNftMessages({ address: t.alice }))).toEqual(['punk', 'punk too', 'other'])
  expect(texts(await t.asBob.listNftMessagesOfWallet({ address: t.bob, ...punk }))).toEqual([
    'punk',
    'punk too',
  ])
  expect(texts(await t.asBob.listNftConversation({ ...t.pair, ...other }))).toEqual(['other'])
  expect(texts(await t.asBob.listNftMessagesOfToken(punk))).toEqual(['punk', 'punk too'])
  expect(await asEve.listNftMessagesOfToken(punk)).toEqual([])
  expect(await t.asBob.countUnreadOfNft({ address: t.bob, ...punk })).toBe(1)
  expect(texts(await t.asBob.listConversation(t.pair))).toEqual(['plain', 'punk', 'punk too', 'other'])
})

test('pages walk a list in both directions without gap or repetition', async () => {
  const t = await twoWallets(service)
  const all: string[] = []
  for (let i = 0; i < 7; i++) all.push((await (i % 2 ? t.answer : t.send)(`m${i}`)).message)
  for (const list of [
    (query: object) => t.asBob.listConversation({ ...t.pair, query }),
    (query: object) => t.asAlice.listDirectMessages({ address: t.alice, query }),
  ]) {
    const forward = []
    for (let after = 0, page; (page = await list({ limit: 3, after })).length > 0; after = page.at(-1)!.id)
      forward.push(...page)
    expect(texts(forward)).toEqual(all)
    const backward = []
    for (
      let before = Number.MAX_SAFE_INTEGER, page;
      (page = await list({ limit: 3, before })).length > 0;
      before = page[0]!.id
    )
      backward.unshift(...page)
    expect(texts(backward)).toEqual(all)
    expect(texts(await list({ limit: 2 }))).toEqual(all.slice(0, 2))
    expect(texts(await list({ after: forward[1]!.id, before: forward[5]!.id }))).toEqual(all.slice(2, 5))
  }
  for (const query of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { after: -1 }, { before: 'x' }])
    await expect(t.asBob.listConversation({ ...t.pair, query: query as never })).rejects.toMatchObject({
      code: 'bad_request',
    })
})

test('a long list is streamed whole', async () => {
  const t = await twoWallets(service)
  const sent = await Promise.all(
    Array.from({ length: 901 }, (_, i) => t.send(`${'gmü💬'.repeat(i % 40)}${i}`)),
  )
  const listed = await t.asBob.listConversation(t.pair)
  expect(listed).toHaveLength(901)
  expect(listed).toEqual(sent.toSorted((x, y) => x.id - y.id))
  expect(await t.asAlice.listDirectMessages({ address: t.alice })).toEqual(listed)
  // Long responses go as bytes, short ones as text.
  for (const limit of [1, 100, 200, 900])
    expect(await t.asBob.listConversation({ ...t.pair, query: { limit } })).toEqual(listed.slice(0, limit))
  // A poll begins with a short page, and goes on where there is more.
  for (const news of [0, 1, 19, 20, 21, 219, 220, 221, 900]) {
    const time = listed.at(-1 - news)!.timestamp
    expect(await t.asBob.listConversationSince({ ...t.pair, time })).toEqual(listed.slice(901 - news))
  }
})

test.each([true, false])('a message is deleted while it is being marked, read: %s', async (read) => {
  const t = await twoWallets(service)
  const { id } = await t.send('gm')
  if (!read) await t.asBob.markDirectMessage({ ...t.pair, body: { ...t.pair, message: '', id, read: true } })
  const { db } = t.service.ctx
  const [row] = await db.query<Parameters<typeof updateRead>[1]>(
    'select * from direct_messages where id = $1',
    [id],
  )
  let deleted: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await updateRead(tx, row!, read)
    deleted = t.asAlice.deleteDirectMessage({ id })
    deleted.catch(() => {})
    const waiting =
      db.layout.name === 'cluster'
        ? 'select from citus_lock_waits'
        : `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(() => db.query(waiting)).toHaveLength(1)
  })
  await deleted
  expect(await t.asBob.listConversation(t.pair)).toEqual([])
  expect(await t.asBob.countUnread({ address: t.bob })).toBe(0)
})

const acme = useService({ beside: service, encryptionVendor: 'acme' })

test('the encryption fields carry the name of the configured vendor', async () => {
  const t = await twoWallets(acme)
  const body = {
    fromaddr: t.alice,
    toaddr: t.bob,
    message: '"encrypted_sym_x_key":',
    encrypted_sym_acme_key: 'wrapped',
    acme_access_conditions: '{"a":"b"}',
    encrypted_sym_x_key: 'ignored',
  }
  const [sent] = await t.asAlice.sendDirectMessage({ body })
  const { encrypted_sym_x_key: _, ...kept } = body
  expect(sent).toMatchObject(kept)
  expect(sent).not.toHaveProperty('encrypted_sym_x_key')
  expect(await t.asBob.listConversation(t.pair)).toEqual([sent])
  expect((await t.asBob.getInbox({ address: t.bob }))[0]).toMatchObject(kept)
  const docs = (await t.service.app.inject('/docs/json')).body
  expect(docs).toContain('encrypted_sym_acme_key')
  expect(docs).not.toContain('encrypted_sym_x_key')
})

test.each([
  ['message', 'x'.repeat(65_537)],
  ['message', 'é'.repeat(32_769)],
  ['message', ''],
  ['message', 'a\0b'],
  ['message', 'a\ud800b'],
  ['message', 5],
  ['message', null],
  ['toaddr', ''],
  ['toaddr', 'two words'],
  ['toaddr', 'x'.repeat(129)],
  ['toaddr', 'a\u200bb'],
  ['toaddr', `eth:0x${'aB'.repeat(20)}`],
  ['toaddr', `base:0x${'aB'.repeat(20)}`],
  ['toaddr', `eip155:1:0x${'aB'.repeat(20)}`],
  ['toaddr', 'ab'.repeat(20)],
  ['toaddr', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
  ['toaddr', ['0x']],
  ['nftid', 5],
  ['nftaddr', 'a\nb'],
  ['encrypted_sym_x_key', 'x'.repeat(32_769)],
  ['x_access_conditions', {}],
])('%s %j is refused with a hint and nothing is stored', async (field, value) => {
  const t = await twoWallets(service)
  const attempt = t.send('fine', { [field]: value })
  await expect(attempt).rejects.toMatchObject({
    code: 'bad_request',
    errors: [{ pointer: `/body/${field}` }],
  })
  expect(await t.asAlice.listDirectMessages({ address: t.alice })).toEqual([])
})

test('the greatest id that there can be is an id: no such message', async () => {
  const t = await twoWallets(service)
  const id = Number.MAX_SAFE_INTEGER
  await expect(t.asAlice.deleteDirectMessage({ id })).rejects.toMatchObject({ code: 'not_found' })
  const mark = { ...t.pair, body: { ...t.pair, message: '', id, read: true } }
  await expect(t.asAlice.markDirectMessage(mark)).rejects.toMatchObject({ code: 'not_found' })
})
