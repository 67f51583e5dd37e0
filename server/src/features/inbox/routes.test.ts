import type { ApiError } from '@parley/sdk'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'

test('an inbox has one row per peer with the last message, newest first', async () => {
  await using service = await startService()
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  const [asAlice, asBob, asCarol] = [await service.as(alice), await service.as(bob), await service.as(carol)]
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'hi' } })
  await asCarol.sendDirectMessage({ body: { fromaddr: carol, toaddr: bob, message: 'gm' } })
  const punk = { nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', nftid: '721' }
  const [last] = await asAlice.sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob, message: 'still there?', ...punk, encrypted_sym_x_key: 'k' },
  })

  const rows = await asBob.getInbox({ address: bob })
  expect(rows).toEqual([
    {
      id: last!.id,
      context_type: 'dm',
      type: 'message',
      chain: '',
      fromaddr: alice,
      toaddr: bob,
      ...punk,
      message: 'still there?',
      encrypted_sym_x_key: 'k',
      x_access_conditions: '',
      read: false,
      unread: 2,
      sender_name: '',
      name: '',
      logo: '',
      timestamp: last!.timestamp,
      timestamp_dtm: last!.timestamp,
    },
    expect.objectContaining({
      fromaddr: carol,
      message: 'gm',
      unread: 1,
      nftaddr: '',
      encrypted_sym_x_key: '',
    }),
  ])
  expect(await asAlice.getInbox({ address: alice })).toMatchObject([{ message: 'still there?', unread: 0 }])
  expect(await asBob.countUnread({ address: bob })).toBe(3)
  expect(await asBob.countUnreadTotal({ address: bob })).toBe(3)
  expect(await asBob.countUnreadByType({ address: bob, type: 'dm' })).toBe(3)
  expect(await asBob.countUnreadByType({ address: bob, type: 'all' })).toBe(3)
  expect(await asBob.countUnreadByType({ address: bob, type: 'nft' })).toBe(0)
  expect(await asBob.countUnreadOfConversation({ fromaddr: alice, toaddr: bob })).toBe(2)
  expect(await asBob.countUnreadOfConversation({ fromaddr: bob, toaddr: alice })).toBe(2)
  await expect(asBob.countUnreadByType({ address: bob, type: 'spam' })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('a deleted last message gives way to the one before it', async () => {
  await using service = await startService()
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'first' } })
  const [second] = await asAlice.sendDirectMessage({
    body: { fromaddr: alice, toaddr: bob, message: 'second' },
  })
  await asAlice.deleteDirectMessage({ id: second!.id })
  expect(await asBob.getInbox({ address: bob })).toMatchObject([{ message: 'first', unread: 1 }])
})

onOneMachine('the copy of a last message is shown only while it is one', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const send = (message: string) =>
    asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message } })
  const shown = async () => (await asBob.getInbox({ address: bob })).map(({ message }) => message)
  await send('copied')
  await db.query(`update conversations set last_item = replace(last_item, 'copied', 'the copy')`)
  expect(await shown()).toEqual(['the copy'])
  // A release that knows no copies moves the conversation's time on, and leaves the copy.
  await db.query('update conversations set last_ms = last_ms + 1')
  await db.query(
    `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
     select bucket, id, next_id_v1(bucket, last_id + 64), $1, $2, 'not copied', last_ms from conversations`,
    [alice, bob],
  )
  expect(await shown()).toEqual(['not copied'])
  await send('x'.repeat(2000))
  expect(await shown()).toEqual(['x'.repeat(2000)])
  await Promise.all([send('together'), send('together')])
  expect(await shown()).toEqual(['together'])
})

onOneMachine('a copy of another version is not shown, the message itself is', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  await asBob.joinChat({ body: { walletaddr: bob, nftaddr: 'poap_1' } })
  const send = async () => {
    await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'true' } })
    await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: 'poap_1', message: 'true' } })
  }
  const shown = async () => (await asBob.getInbox({ address: bob })).map(({ message }) => message)
  const change = async (set: string) => {
    await db.query(`update conversations set ${set}`)
    await db.query(`update group_chats set ${set}`)
  }
  const marked = `last_item = replace(last_item, 'true', 'copy')`
  for (const stale of ['copy_version = copy_version - 1', 'copy_version = null', 'copy_ms = null']) {
    await send()
    await change(marked)
    expect(await shown()).toEqual(['copy', 'copy'])
    await change(stale)
    expect(await shown(), stale).toEqual(['true', 'true'])
  }
  // A release that knows no copies moves the time on, and leaves the copy.
  await send()
  await change(`${marked}, last_ms = last_ms + 1`)
  expect(await shown()).toEqual(['true', 'true'])
})

test("no one reads another wallet's inbox or counts", async () => {
  await using service = await startService()
  const address = newWallet()
  const asEve = await service.as(newWallet())
  const attempts = [
    () => asEve.getInbox({ address }),
    () => asEve.countUnread({ address }),
    () => asEve.countUnreadTotal({ address }),
    () => asEve.countUnreadByType({ address, type: 'all' }),
    () => asEve.countUnreadOfNft({ address, nftaddr: 'n', nftid: '1' }),
    () => asEve.countUnreadOfNftChats({ address }),
    () => asEve.countUnreadOfConversation({ fromaddr: address, toaddr: newWallet() }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
})

test('names and pictures are in every place where a wallet or a chat is shown', async () => {
  await using service = await startService()
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const punks = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
  const picture = (
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c63' } })
      .png()
      .toBuffer()
  ).toString('base64')
  await asAlice.setName({ body: { address: alice, name: 'Alice' } })
  await asBob.createImage({ body: { addr: bob, base64data: picture } })
  await asBob.createCommunity({ body: { community: 'Town' } })
  await asBob.createImage({ body: { addr: 'Town', base64data: picture } })
  for (const nftaddr of [punks, 'town']) {
    await asBob.joinChat({ body: { walletaddr: bob, nftaddr } })
    expect(
      await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr, message: 'gm' } }),
    ).toMatchObject([{ sender_name: 'Alice' }])
  }
  const sent = await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'hi' } })
  expect(sent).toMatchObject([{ sender_name: 'Alice' }])
  expect(await asBob.listConversation({ fromaddr: alice, toaddr: bob })).toEqual(sent)
  expect(await asBob.listGroupMessages({ address: punks, useraddress: bob })).toMatchObject([
    { sender_name: 'Alice' },
  ])

  const thumbnail = expect.stringMatching(/^data:image\/webp;base64,.{40,4096}$/)
  expect(await asBob.getInbox({ address: bob })).toMatchObject([
    { context_type: 'dm', sender_name: 'Alice', name: 'Alice', logo: '' },
    { context_type: 'community', sender_name: 'Alice', name: 'Town', logo: thumbnail },
    { context_type: 'nft', sender_name: 'Alice', name: '', logo: '' },
  ])
  expect(await asAlice.getInbox({ address: alice })).toMatchObject([
    { sender_name: 'Alice', name: '', logo: thumbnail },
  ])
  expect((await asBob.getCommunity({ community: 'town', address: bob }))[0]).toMatchObject({
    logo: thumbnail,
  })
})

test('what is shown of a wallet follows its name and picture, whatever changes them at once', async () => {
  await using service = await startService()
  const pictures = await Promise.all(
    ['#c63', '#36c'].map(async (background) => {
      const picture = sharp({ create: { width: 9, height: 9, channels: 3, background } })
      return (await picture.png().toBuffer()).toString('base64')
    }),
  )
  const reader = newWallet()
  const asReader = await service.as(reader)
  /** This has each picture as lists show it. */
  const logos = new Map<string, string>()
  for (const base64data of pictures) {
    await asReader.createImage({ body: { addr: reader, base64data } })
    await asReader.sendDirectMessage({ body: { fromaddr: reader, toaddr: reader, message: 'gm' } })
    logos.set(base64data, (await asReader.getInbox({ address: reader }))[0]!.logo)
  }
  expect(new Set(logos.values()).size).toBe(2)
  const signedOut = (error: ApiError) => {
    if (error.code !== 'unauthorized') throw error
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('name', 'picture', 'erase'), { maxLength: 8 }),
      async (changes) => {
        const address = newWallet()
        await Promise.all(
          changes.map(async (change, i) => {
            const client = await service.as(address)
            const name = `"${address.slice(2, 12)}\\${i}"`
            if (change === 'name') await client.setName({ body: { address, name } }).catch(signedOut)
            else if (change === 'erase') await client.eraseAccount({ address }).catch(signedOut)
            else {
              const body = { addr: address, base64data: pictures[i % 2]! }
              await client.createImage({ body }).catch(signedOut)
            }
          }),
        )
        await asReader.sendDirectMessage({ body: { fromaddr: reader, toaddr: address, message: 'gm' } })
        const [named] = await asReader.getName({ name: address })
        const [picture] = await asReader.getImage({ addr: address })
        const logo = picture ? logos.get(picture.base64data) : ''
        const [row] = await asReader.getInbox({ address: reader })
        expect(row).toMatchObject({ name: named?.name ?? '', logo })
      },
    ),
    { numRuns: 40 },
  )
  expect(
    await service.ctx.db.query(
      `select address from profiles where address not in (select address from names union select addr from images)`,
    ),
  ).toEqual([])
})

test('what a wallet writes to itself is one row, and no request', async () => {
  await using service = await startService()
  const address = newWallet()
  const client = await service.as(address)
  await client.sendDirectMessage({ body: { fromaddr: address, toaddr: address, message: 'milk' } })
  const views = ['all', 'main', 'requests'] as const
  const shown = await Promise.all(views.map((view) => client.getInbox({ address, query: { view } })))
  expect(shown.map((rows) => rows.map(({ message }) => message))).toEqual([['milk'], ['milk'], []])
  expect(await client.getInbox({ address })).toHaveLength(1)
})

test('a long inbox is whole and in order, for one who asks and for several at once', async () => {
  await using service = await startService()
  const [address, other] = [newWallet(), newWallet()]
  const [client, otherClient] = await Promise.all([service.as(address), service.as(other)])
  const peers = Array.from({ length: 450 }, newWallet)
  const message = 'gm 🌞 '.repeat(20)
  for (const [i, toaddr] of peers.entries()) {
    await client.sendDirectMessage({ body: { fromaddr: address, toaddr, message } })
    // It was short before.
    if (i === 0) expect(await client.getInbox({ address })).toHaveLength(1)
  }
  await otherClient.sendDirectMessage({ body: { fromaddr: other, toaddr: peers[0]!, message } })
  const inboxes = async () => {
    const [own, others, again] = await Promise.all([
      client.getInbox({ address }),
      otherClient.getInbox({ address: other }),
      client.getInbox({ address }),
    ])
    expect(own.map(({ toaddr }) => toaddr)).toEqual(peers.toReversed())
    expect(new Set(own.map((row) => row.message))).toEqual(new Set([message]))
    expect(again).toEqual(own)
    expect(others).toMatchObject([{ toaddr: peers[0], message }])
  }
  for (let i = 0; i < 5; i++) await inboxes()
})

// A history is a list of steps by any of three wallets (0 to 2) on any of the messages so far.
const wallet = fc.nat({ max: 2 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      by: wallet,
      to: wallet,
      message: fc.constantFrom('gm', '"\\\n\u2028', 'é'.repeat(1000)),
      token: fc.option(fc.nat({ max: 1 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('mark' as const), which: fc.nat(), read: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), by: wallet, to: wallet }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), by: wallet }) },
)

const noContext = { nftaddr: '', nftid: '', encrypted_sym_x_key: '', x_access_conditions: '' }

test('after any history, run step by step or all at once, every count equals a recount', async () => {
  await using service = await startService()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, atOnce) => {
      const wallets = [newWallet(), newWallet(), newWallet()]
      const clients = await Promise.all(wallets.map((address) => service.as(address)))
      const sent: { id: number; fromaddr: string; toaddr: string; message: string }[] = []
      const of = (address: string) => clients[wallets.indexOf(address)]!
      const gone = (error: ApiError) => {
        if (!['not_found', 'unauthorized'].includes(error.code)) throw error
      }
      // The wallet is erased in the meantime.
      const signedOut = (error: ApiError) => {
        if (error.code !== 'unauthorized') throw error
        return []
      }

      const run = async (s: (typeof steps)[number]) => {
        if (s.do === 'send') {
          const context = s.token === null ? {} : { nftaddr: 'token', nftid: String(s.token) }
          const body = { fromaddr: wallets[s.by]!, toaddr: wallets[s.to]!, message: s.message, ...context }
          sent.push(...(await clients[s.by]!.sendDirectMessage({ body }).catch(signedOut)))
        } else if (s.do === 'clear') {
          await clients[s.by]!.deleteConversation({ fromaddr: wallets[s.by]!, toaddr: wallets[s.to]! }).catch(
            signedOut,
          )
        } else if (s.do === 'erase') {
          await clients[s.by]!.eraseAccount({ address: wallets[s.by]! }).catch(signedOut)
          clients[s.by] = await service.as(wallets[s.by]!)
        } else if (sent.length > 0) {
          const message = sent[s.which % sent.length]!
          if (s.do === 'mark')
            await of(message.toaddr)
              .markDirectMessage({ ...message, body: { ...message, read: s.read } })
              .catch(gone)
          else await of(message.fromaddr).deleteDirectMessage({ id: message.id }).catch(gone)
        }
      }
      if (atOnce) await Promise.all(steps.map(run))
      else for (const s of steps) await run(s)

      for (const address of wallets) {
        const client = await service.as(address)
        const items = await client.listDirectMessages({ address })
        const unread = items.filter(({ toaddr, read }) => toaddr === address && !read)
        expect(await client.countUnread({ address })).toBe(unread.length)
        const rows = await client.getInbox({ address })
        expect(rows.map(({ timestamp }) => timestamp)).toEqual(
          rows
            .map(({ timestamp }) => timestamp)
            .toSorted()
            .toReversed(),
        )
        for (const peer of wallets) {
          const between = items.filter(
            (item) =>
              new Set([item.fromaddr, item.toaddr]).symmetricDifference(new Set([address, peer])).size === 0,
          )
          const row = rows.find(
            ({ fromaddr, toaddr }) =>
              [fromaddr, toaddr].toSorted().join() === [address, peer].toSorted().join(),
          )
          const last = between.at(-1)
          if (last) expect(row).toMatchObject({ ...noContext, ...last })
          else expect(row).toBeUndefined()
          const fromPeer = unread.filter(({ fromaddr }) => fromaddr === peer)
          expect(row?.unread ?? 0).toBe(fromPeer.length)
          expect(await client.countUnreadOfConversation({ fromaddr: peer, toaddr: address })).toBe(
            fromPeer.length,
          )
        }
        for (const nftid of ['0', '1'])
          expect(await client.countUnreadOfNft({ address, nftaddr: 'token', nftid })).toBe(
            unread.filter((item) => item.nftid === nftid).length,
          )
      }
    }),
    { numRuns: 40 },
  )
})
