import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newName, newWallet, type Service, useService } from '../../../../testing/service/service.ts'

const service = useService()
const second = useService({ beside: service })

async function member(on: Service, address = newWallet()) {
  const client = await on.as(address)
  return {
    address,
    client,
    post: async (nftaddr: string, message: string) =>
      (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!,
    read: (nftaddr: string, query = {}) =>
      client.listGroupMessages({ address: nftaddr, useraddress: address, query }),
    join: (nftaddr: string, chain?: string) =>
      client.joinChat({ body: { walletaddr: address, nftaddr, ...(chain !== undefined && { chain }) } }),
    leave: (nftaddr: string) => client.leaveChat({ body: { walletaddr: address, nftaddr } }),
    unread: (nftaddr: string) => client.countUnreadOfChat({ address: nftaddr, useraddress: address }),
    inbox: () => client.getInbox({ address }),
    count: (type: string) => client.countUnreadByType({ address, type }),
  }
}

/** Posts at these times of a chat, in milliseconds. */
const setTimes = (ids: number[], times: number[]) =>
  service.ctx.db.query(
    `update group_messages g set ms = u.ms from unnest($1::bigint[], $2::bigint[]) as u (id, ms) where g.id = u.id`,
    [ids, times],
  )

const texts = (items: { message: string }[]) => items.map(({ message }) => message)

test('a message in an NFT chat has the shape of the interface and is read by others as it was answered', async () => {
  const punks = newWallet()
  const [alice, bob] = [await member(service), await member(service)]
  const sent = await alice.post(punks.toUpperCase().replace('0X', '0x'), 'gm "punks" 👋')
  expect(sent).toEqual({
    id: expect.any(Number),
    context_type: 'nft',
    type: 'message',
    nftaddr: punks,
    fromaddr: alice.address,
    message: 'gm "punks" 👋',
    sender_name: '',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    timestamp_dtm: sent.timestamp,
  })
  expect(await bob.read(punks)).toEqual([sent])
})

test('both posting routes are the same: the key decides the context', async () => {
  const [town, punks] = [newName('Town'), newWallet()]
  const alice = await member(service)
  await alice.client.createCommunity({ body: { community: town } })
  const { address: fromaddr, client } = alice
  const poap = `poap_${Date.now()}`
  for (const post of [client.postGroupMessage, client.postCommunityMessage]) {
    expect(
      await post({ body: { fromaddr, nftaddr: town.replace('Town', 'toWN'), message: 'a' } }),
    ).toMatchObject([{ context_type: 'community', nftaddr: town }])
    expect(await post({ body: { fromaddr, nftaddr: punks, message: 'b' } })).toMatchObject([
      { context_type: 'nft' },
    ])
    expect(await post({ body: { fromaddr, nftaddr: poap, message: 'c' } })).toMatchObject([
      { context_type: 'nft' },
    ])
    await expect(post({ body: { fromaddr, nftaddr: 'nowhere', message: 'd' } })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      post({ body: { fromaddr: newWallet(), nftaddr: punks, message: 'e' } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    for (const message of ['', 'a\0', 5, 'x'.repeat(65_537)])
      await expect(
        post({ body: { fromaddr, nftaddr: punks, message: message as string } }),
      ).rejects.toMatchObject({ code: 'bad_request' })
  }
  expect(texts(await alice.read(poap.toUpperCase()))).toEqual(['c', 'c'])
  expect(texts(await alice.read(town.toLowerCase()))).toEqual(['a', 'a'])
})

test('entering a chat reads it; own messages are never unread; anyone may ask how many are', async () => {
  const punks = newWallet()
  const [alice, bob] = [await member(service), await member(service)]
  expect(await bob.unread(punks)).toBe(0)
  await alice.post(punks, 'one')
  await alice.post(punks, 'two')
  expect(await bob.unread(punks)).toBe(2)
  expect(await alice.unread(punks)).toBe(0)
  await bob.post(punks, 'mine')
  expect(await bob.unread(punks)).toBe(2)
  await bob.read(punks)
  expect(await bob.unread(punks)).toBe(0)
  await alice.post(punks, 'three')
  expect(await bob.unread(punks)).toBe(1)
  expect(await alice.unread(punks)).toBe(1)
  await bob.join(punks)
  const answer = await service.app.inject(`/v1/get_groupchatitems_unreadcnt/${punks}/${bob.address}`)
  expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  expect(answer.body).toBe('1')
})

test('no one enters a chat as another wallet', async () => {
  const punks = newWallet()
  const [alice, bob] = [await member(service), await member(service)]
  await alice.post(punks, 'one')
  await expect(
    alice.client.listGroupMessages({ address: punks, useraddress: bob.address }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  expect(await bob.unread(punks)).toBe(1)
  await expect(bob.read('nowhere')).rejects.toMatchObject({ code: 'not_found' })
})

test('the inbox has a row for each joined chat, also one without messages, beside the conversations', async () => {
  const [town, punks] = [newName('Town'), newWallet()]
  const [alice, bob] = [await member(service), await member(service)]
  await bob.client.createCommunity({ body: { community: town } })
  await alice.join(punks, 'ethereum')
  await alice.join(town.toLowerCase())
  await alice.join('0x'.padEnd(42, '1'))
  await bob.post(punks, 'gm punks')
  await bob.client.sendDirectMessage({
    body: { fromaddr: bob.address, toaddr: alice.address, message: 'psst' },
  })
  const last = await bob.post(town.toLowerCase(), 'gm town')

  const rows = await alice.inbox()
  expect(rows).toMatchObject([
    {
      context_type: 'community',
      nftaddr: town,
      name: town,
      message: 'gm town',
      fromaddr: bob.address,
      unread: 1,
      read: false,
      chain: '',
      type: 'message',
    },
    { context_type: 'dm', message: 'psst', unread: 1 },
    { context_type: 'nft', nftaddr: punks, message: 'gm punks', unread: 1, chain: 'ethereum' },
    {
      context_type: 'nft',
      message: '',
      id: 0,
      unread: 0,
      read: true,
      timestamp: '',
      timestamp_dtm: '',
      fromaddr: '',
      type: '',
    },
  ])
  expect(rows[0]).toMatchObject({ id: last.id, timestamp: last.timestamp })
  for (const row of rows)
    for (const [field, value] of Object.entries(row)) expect(value, field).not.toBeNull()
  expect(new Set(rows.map((row) => Object.keys(row).toSorted().join())).size).toBe(1)

  expect([
    await alice.count('dm'),
    await alice.count('nft'),
    await alice.count('community'),
    await alice.count('all'),
  ]).toEqual([1, 1, 1, 3])
  expect(await alice.client.countUnread({ address: alice.address })).toBe(3)
  expect(await alice.client.countUnreadOfNftChats({ address: alice.address })).toBe(1)
  await alice.leave(punks)
  expect(await alice.count('all')).toBe(2)
  expect(await alice.inbox()).toHaveLength(3)
})

test('the last message of a chat is shown from its copy only while that is the last message', async () => {
  const punks = newWallet()
  const { db } = service.ctx
  const [alice, bob] = [await member(service), await member(service)]
  await alice.join(punks)
  const shown = async () => (await alice.inbox()).map(({ message }) => message)
  await bob.post(punks, 'copied')
  await db.query(
    `update group_chats set last_item = replace(last_item, 'copied', 'the copy') where chat = $1`,
    [punks],
  )
  expect(await shown()).toEqual(['the copy'])
  // A release that knows no copies moves the chat's time on, and leaves the copy.
  await db.query(
    `with moved as (
       update group_chats set last_ms = last_ms + 1, posted = posted + 1 where chat = $2
       returning bucket, chat, last_ms, last_id
     )
     insert into group_messages (bucket, chat, id, fromaddr, message, ms)
     select bucket, chat, next_id_v1(bucket, last_id + 64), $1, 'not copied', last_ms from moved`,
    [bob.address, punks],
  )
  expect(await shown()).toEqual(['not copied'])
  await bob.post(punks, 'x'.repeat(2000))
  expect(await shown()).toEqual(['x'.repeat(2000)])
  const together = await Promise.all([bob.post(punks, 'together'), alice.post(punks, 'together')])
  expect(await alice.inbox()).toMatchObject([together.toSorted((a, b) => a.id - b.id).at(-1)!])
  const last = await bob.post(punks, '"gm"\n\u2028')
  expect(await alice.inbox()).toMatchObject([last])
})

test('posting writes no row per member', async () => {
  const punks = newWallet()
  const alice = await member(service)
  await service.ctx.db.query(
    `insert into bookmarks (wbucket, walletaddr, chat, bucket, id, nftaddr, chain)
     select bucket_of('w' || i), 'w' || i, $1, bucket_of($1), i, $1, '' from generate_series(1, 5000) i`,
    [punks],
  )
  await alice.post(punks, 'gm all')
  expect(await service.ctx.db.query('select walletaddr from group_visits where chat = $1', [punks])).toEqual([
    { walletaddr: alice.address },
  ])
  const one = await member(service, 'w17')
  expect(await one.inbox()).toMatchObject([{ message: 'gm all', unread: 1 }])
})

test('times increase strictly in a chat under concurrency on two instances, and nothing is lost', async () => {
  const punks = newWallet()
  const alice = await member(service)
  const bob = await member(second)
  await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 ? alice : bob).post(punks, `m${i}`)))
  const items = await alice.read(punks)
  expect(items).toHaveLength(200)
  for (let i = 1; i < items.length; i++) {
    expect(items[i]!.timestamp > items[i - 1]!.timestamp).toBe(true)
    expect(items[i]!.id > items[i - 1]!.id).toBe(true)
  }
})

test('pages walk a chat in both directions', async () => {
  const punks = newWallet()
  const alice = await member(service)
  const all = (await Promise.all(Array.from({ length: 450 }, (_, i) => alice.post(punks, `m${i}`)))).toSorted(
    (a, b) => a.id - b.id,
  )
  expect(await alice.read(punks)).toEqual(all)
  expect(await alice.read(punks, { limit: 3 })).toEqual(all.slice(0, 3))
  expect(await alice.read(punks, { limit: 3, after: all[9]!.id })).toEqual(all.slice(10, 13))
  expect(await alice.read(punks, { limit: 3, before: all[9]!.id })).toEqual(all.slice(6, 9))
})

const step = fc.record({
  do: fc.constantFrom('post' as const, 'read' as const, 'join' as const, 'leave' as const),
  by: fc.nat({ max: 2 }),
  chat: fc.constantFrom(0, 1),
})

test('after any history, run step by step or all at once, every count equals a recount', async () => {
  const [town, punks] = [newName('town'), newWallet()]
  const chats = [punks, town]
  const owner = await member(service)
  await owner.client.createCommunity({ body: { community: town } })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, atOnce) => {
      const members = await Promise.all([member(service), member(service), member(service)])
      const { db } = service.ctx
      const run = (s: (typeof steps)[number]): Promise<unknown> => {
        const who = members[s.by]!
        const chat = chats[s.chat]!
        return s.do === 'post' ? who.post(chat, 'm') : who[s.do](chat)
      }
      if (atOnce) await Promise.all(steps.map(run))
      else for (const s of steps) await run(s)
      for (const { address, count, unread, inbox, client } of members) {
        const sums = { nft: 0, community: 0 }
        const joined = await client.listBookmarks({ address })
        for (const chat of chats) {
          const [recount] = await db.query<{ n: number }>(
            `select count(*) as n from group_messages where chat = $1 and fromaddr <> $2
             and ms > coalesce((select entry_ms from group_visits where walletaddr = $2 and chat = $1), 0)`,
            [chat, address],
          )
          expect(await unread(chat)).toBe(recount!.n)
          if (joined.some(({ nftaddr }) => nftaddr === chat))
            sums[chat === punks ? 'nft' : 'community'] += recount!.n
        }
        expect([await count('nft'), await count('community'), await count('all')]).toEqual([
          sums.nft,
          sums.community,
          sums.nft + sums.community,
        ])
        const rows = await inbox()
        expect(rows.reduce((sum, row) => sum + row.unread, 0)).toBe(sums.nft + sums.community)
        for (const { nftaddr, id } of rows) {
          const [last] = await db.query<{ id: number }>(
            'select coalesce(max(id), 0) as id from group_messages where chat = $1',
            [nftaddr],
          )
          expect(id).toBe(last!.id)
        }
      }
      const [info] = await members[0].client.getCommunity({
        community: town,
        address: members[0].address,
      })
      const [recount] = await db.query<{ n: number }>(`select count(*) as n from bookmarks where chat = $1`, [
        town,
      ])
      expect(info!.members).toBe(recount!.n)
    }),
    { numRuns: 25 },
  )
})

test('posts are read from a time on, whatever has been posted and deleted before', async () => {
  const [town, punks] = [newName('town'), newWallet()]
  const [alice, bob] = [await member(service), await member(service)]
  await alice.client.createCommunity({ body: { community: town } })
  const from = (time: number, more = {}) =>
    bob.read(town, { since: new Date(time).toISOString(), enter: false, ...more })
  expect(await from(0)).toEqual([])
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ gap: fc.integer({ min: 1, max: 3 }), elsewhere: fc.nat(2) }), {
        maxLength: 6,
        minLength: 1,
      }),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
      async (posts, times) => {
        await service.ctx.db.query(`delete from group_messages where chat = $1`, [town])
        const sent: { id: number; time: number }[] = []
        let time = 0
        for (const { gap, elsewhere } of posts) {
          for (let n = 0; n < elsewhere; n++) await alice.post(punks, 'elsewhere')
          const { id } = await alice.post(town, 'here')
          sent.push({ id, time: (time += gap) })
        }
        await setTimes(
          sent.map(({ id }) => id),
          sent.map((one) => one.time),
        )
        for (const since of times) {
          const expected = sent.filter((one) => one.time >= since).map(({ id }) => id)
          expect((await from(since)).map(({ id }) => id)).toEqual(expected)
          expect((await from(since, { limit: 1 })).map(({ id }) => id)).toEqual(expected.slice(0, 1))
          const [first, next] = sent
          expect((await from(since, { after: first!.id })).map(({ id }) => id)).toEqual(
            expected.filter((id) => id > first!.id),
          )
          if (next)
            expect((await from(since, { before: next.id })).map(({ id }) => id)).toEqual(
              expected.filter((id) => id < next.id),
            )
        }
      },
    ),
    { numRuns: 25 },
  )
  // A post that waits for a moderator, and that only its author sees, has its time too.
  await alice.client.setChatRules({ nftaddr: town, body: { words: ['waiting'] } })
  const waiting = await bob.post(town, 'waiting')
  const later = Date.parse(waiting.timestamp) + 1
  expect(texts(await from(later - 1))).toEqual(['waiting'])
  expect(await from(later)).toEqual([])
  await expect(bob.read(town, { since: 'yesterday' })).rejects.toMatchObject({ code: 'bad_request' })
})
