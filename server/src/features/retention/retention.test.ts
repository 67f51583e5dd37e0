import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { expireBefore } from '../../../../testing/service/written-directly.ts'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { check } from '../../check/check.ts'
import { numberOfId } from '../../values/bucket.ts'
import { tasks } from './tasks.ts'

const service = useService()
const second = useService({ beside: service })

async function person(on: Service, address = newWallet()) {
  const client = await on.as(address)
  return {
    address,
    client,
    send: async (toaddr: string, message: string, options = {}) =>
      (await client.sendDirectMessage({ body: { fromaddr: address, toaddr, message } }, options))[0]!,
    post: async (nftaddr: string, message: string) =>
      (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!,
    conversation: (peer: string, query = {}) =>
      client.listConversation({ fromaddr: address, toaddr: peer, query }),
    posts: (nftaddr: string, query: object = { enter: false }) =>
      client.listGroupMessages({ address: nftaddr, useraddress: address, query }),
    unreadOf: (peer: string) => client.countUnreadOfConversation({ toaddr: address, fromaddr: peer }),
    unreadIn: (nftaddr: string) => client.countUnreadOfChat({ address: nftaddr, useraddress: address }),
    join: (nftaddr: string) => client.joinChat({ body: { walletaddr: address, nftaddr } }),
    inbox: () => client.getInbox({ address }),
  }
}

async function faultsOf({ databaseUrl }: Service): Promise<string[]> {
  const faults: string[] = []
  await check({ databaseUrl, onFault: ({ row, wrong }) => faults.push(`${row}: ${wrong.join('; ')}`) })
  return faults
}

const texts = (items: { message: string }[]) => items.map(({ message }) => message)

/** Waits until the clock has moved on. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 3))

test('what is older than the service keeps is gone from lists, inbox, counts and tables; what is not is there', async () => {
  const punks = newWallet()
  const [alice, bob] = [await person(service), await person(service)]
  await bob.join(punks)
  await alice.send(bob.address, 'an old word')
  await alice.post(punks, 'an old post')
  await tick()
  const later = await alice.send(bob.address, 'a new word')
  const newPost = await alice.post(punks, 'a new post')
  await expireBefore(service, later.timestamp)
  expect(texts(await bob.conversation(alice.address))).toEqual(['a new word'])
  expect(texts(await alice.posts(punks))).toEqual(['a new post'])
  expect([await bob.unreadOf(alice.address), await bob.unreadIn(punks)]).toEqual([1, 1])
  for (const table of ['direct_messages', 'group_messages', 'conversations', 'group_chats'])
    expect(
      await service.ctx.db.query(`select from ${table} r where strpos(r::text, 'an old') > 0`),
    ).toHaveLength(0)

  // All of it is gone: the chat stays joined and the two stay acquainted, without messages.
  await tick()
  await expireBefore(service, Date.now())
  expect(await bob.conversation(alice.address)).toEqual([])
  expect(await bob.inbox()).toMatchObject([{ context_type: 'nft', nftaddr: punks, message: '', unread: 0 }])
  expect([await bob.unreadOf(alice.address), await bob.unreadIn(punks)]).toEqual([0, 0])
  expect(await bob.posts(punks, {})).toEqual([])
  expect(await faultsOf(service)).toEqual([])
  const again = await alice.post(punks, 'again')
  expect(again.id).toBeGreaterThan(newPost.id)
  expect(await bob.unreadIn(punks)).toBe(1)
  expect(await bob.inbox()).toMatchObject([{ message: 'again', unread: 1 }])
  // A page that begins at a message that is gone goes on after it.
  expect(texts(await bob.posts(punks, { after: newPost.id, enter: false }))).toEqual(['again'])
  await alice.send(bob.address, 'hello again')
  expect(texts(await bob.conversation(alice.address, { after: later.id }))).toEqual(['hello again'])
  expect(await faultsOf(service)).toEqual([])
})

test('nothing is deleted where the service keeps all, and a repeated request is answered as before', async () => {
  const [alice, bob] = [await person(service), await person(service)]
  const sent = await alice.send(bob.address, 'hello', { idempotencyKey: 'once' })
  const job = { id: '1', createdAt: new Date(), signal: new AbortController().signal }
  const inTenYears = { ...service.ctx.db, now: () => Date.now() + 3_650 * 86_400_000 }
  await tasks['delete-old-messages']({ ...service.ctx, db: inTenYears }, {}, job)
  expect(await bob.conversation(alice.address)).toHaveLength(1)
  await tick()
  await expireBefore(service, Date.now())
  // Its answer holds no text of its own (http/idempotency.ts); nothing is sent twice.
  expect(await alice.send(bob.address, 'hello', { idempotencyKey: 'once' })).toEqual(sent)
  expect(await bob.conversation(alice.address)).toEqual([])
})

test('a stream resumed from before what was deleted begins anew; one from after it goes on', async () => {
  const [alice, bob] = [await person(service), await person(service)]
  const first = await alice.send(bob.address, 'first')
  await alice.send(bob.address, 'second')
  await tick()
  await expireBefore(service, Date.now())
  // The log is empty now, and still knows how far it was.
  await using fromFirst = await listenTo(service, bob.address, { lastEventId: String(first.id) })
  await expect.poll(() => fromFirst.events().map(({ type }) => type)).toContain('resync')
  const third = await alice.send(bob.address, 'third')
  await alice.send(bob.address, 'fourth')
  await expect.poll(() => fromFirst.messages()).toContain('fourth')
  await using fromThird = await listenTo(service, bob.address, { lastEventId: String(third.id) })
  // Events come at least once: the third may be there again.
  await expect.poll(() => fromThird.messages()).toContain('fourth')
  expect(fromThird.events().map(({ type }) => type)).not.toContain('resync')
  expect(fromThird.messages()).not.toContain('second')
})

test('a message with a wrong time in the future does not keep older ones', async () => {
  await using own = await startService()
  const [alice, bob, carol] = [await person(own), await person(own), await person(own)]
  const ahead = await alice.send(carol.address, 'ahead')
  await own.ctx.db.query('update direct_messages set ms = ms + 86400000000 where id = $1', [ahead.id])
  await own.ctx.db.query('update conversations set last_ms = last_ms + 86400000000, last_item = null')
  await alice.send(bob.address, 'old')
  await tick()
  await expireBefore(own, Date.now())
  expect(await bob.conversation(alice.address)).toEqual([])
  expect(texts(await carol.conversation(alice.address))).toEqual(['ahead'])
})

const step = fc.record({
  do: fc.constantFrom(
    ...([
      'send',
      'send',
      'post',
      'post',
      'read-dm',
      'read-post',
      'enter',
      'hide',
      'remove-dm',
      'remove-post',
      'forget',
      'expire',
    ] as const),
  ),
  by: fc.nat({ max: 2 }),
  at: fc.nat({ max: 20 }),
})

interface Item {
  id: number
  by: number
  to: number
  ms: number
  read: boolean
  hiddenFrom: Set<number>
}

test('counts and lists are what a model says, whatever is sent, read, hidden, removed and expired', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const chat = newWallet()
      const people = await Promise.all([0, 1, 2].map((n) => person(n === 1 ? second : service)))
      let messages: Item[] = []
      let posts: Item[] = []
      const seen = [0, 0, 0]
      const itemOf = (sent: { id: number; timestamp: string }, by: number, to: number): Item => ({
        id: sent.id,
        by,
        to,
        ms: Date.parse(sent.timestamp),
        read: false,
        hiddenFrom: new Set(),
      })
      const seesAny = (m: Item) => m.hiddenFrom.size < 2
      for (const { do: action, by, at } of steps) {
        const one = people[by]!
        const to = (by + 1 + (at % 2)) % 3
        const message = messages[at % Math.max(messages.length, 1)]
        const post = posts[at % Math.max(posts.length, 1)]
        if (action === 'send')
          messages.push(itemOf(await one.send(people[to]!.address, `word ${at}`), by, to))
        else if (action === 'post') posts.push(itemOf(await one.post(chat, `post ${at}`), by, -1))
        else if (action === 'enter') {
          await one.posts(chat, {})
          seen[by] = Math.max(seen[by]!, posts.at(-1)?.id ?? 0)
        } else if (action === 'read-dm' && message) {
          const reader = people[message.to]!
          await reader.client.markReadTo({
            addr: people[message.by]!.address,
            body: { id: message.id, context_type: 'dm' },
          })
          for (const m of messages)
            if (m.to === message.to && m.by === message.by && m.id <= message.id) m.read = true
        } else if (action === 'read-post' && post) {
          await one.client.markReadTo({ addr: chat, body: { id: post.id, context_type: 'nft' } })
          seen[by] = Math.max(seen[by]!, post.id)
        } else if (action === 'hide' && message && !message.hiddenFrom.has(message.to)) {
          await people[message.to]!.client.hideMessage({ id: message.id })
          message.hiddenFrom.add(message.to)
        } else if (action === 'remove-dm' && message) {
          await people[message.by]!.client.deleteDirectMessage({ id: message.id })
          messages = messages.filter((m) => m !== message)
        } else if (action === 'remove-post' && post)
          await people[post.by]!.client.removePost({ nftaddr: chat, id: post.id })
        else if (action === 'expire') {
          const all = [...messages, ...posts]
          if (all.length === 0) continue
          const { ms } = all[at % all.length]!
          await expireBefore(at % 2 ? service : second, ms)
          messages = messages.filter((m) => m.ms >= ms)
          posts = posts.filter((m) => m.ms >= ms)
        }
        messages = messages.filter(seesAny)
        for (const [n, each] of people.entries()) {
          expect(await each.unreadIn(chat)).toBe(posts.filter((p) => p.by !== n && p.id > seen[n]!).length)
          const peer = (n + 1) % 3
          const between = messages.filter(
            (m) => ((m.by === n && m.to === peer) || (m.by === peer && m.to === n)) && !m.hiddenFrom.has(n),
          )
          expect((await each.conversation(people[peer]!.address)).map(({ id }) => id)).toEqual(
            between.map(({ id }) => id),
          )
          expect(await each.unreadOf(people[peer]!.address)).toBe(
            between.filter((m) => m.to === n && !m.read).length,
          )
        }
        expect((await people[0]!.posts(chat)).map(({ id }) => id)).toEqual(posts.map(({ id }) => id))
      }
    }),
    { numRuns: Number(process.env.HISTORIES ?? 12) },
  )
  expect(await faultsOf(service)).toEqual([])
})

test('sends, posts and reads beside the job: every count equals a recount, and nothing new is deleted', async () => {
  const [alice, bob] = [await person(service), await person(second)]
  const chat = newWallet()
  await bob.join(chat)
  for (let n = 0; n < 60; n++) {
    await Promise.all([alice.send(bob.address, `old ${n}`), alice.post(chat, `old ${n}`)])
  }
  await tick()
  const before = Date.now()
  const deleting = expireBefore(second, before)
  const sent = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      if (n % 7 === 0) await bob.posts(chat, {})
      const message = await alice.send(bob.address, `new ${n}`)
      const post = await bob.post(chat, `new ${n}`)
      if (n % 5 === 0)
        await bob.client.markReadTo({ addr: alice.address, body: { id: message.id, context_type: 'dm' } })
      return [message.id, post.id].map(numberOfId)
    }),
  )
  await deleting
  await expireBefore(service, before)
  expect(sent).toHaveLength(60)
  expect(await alice.conversation(bob.address)).toHaveLength(60)
  expect(await alice.posts(chat)).toHaveLength(60)
  expect(await alice.unreadIn(chat)).toBe(60)
  expect(await faultsOf(service)).toEqual([])
})
const forMonth = useService({ beside: service, retentionDays: 30 })

test('the owner of a chat keeps its messages for less than the service does, and nobody else says so', async () => {
  const town = newName('town')
  const [owner, alice] = await newCommunity(forMonth, town)
  const [, carol] = await newCommunity(forMonth, newName('other'))
  await owner.rules({ words: ['wait'] })
  await alice.post('an old post')
  const held = await alice.post('an old one, wait')
  await carol.post('an old post')
  await tick()
  const later = await alice.post('a new post')
  await alice.post('a new one, wait')
  await expect(owner.rules({ retention_days: 31 })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(alice.rules({ retention_days: 1 })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await owner.rules({ retention_days: 2 })).toEqual({
    slow_seconds: 0,
    words: ['wait'],
    retention_days: 2,
  })
  expect(await alice.client.getChatRules({ nftaddr: town })).toMatchObject({ retention_days: 2 })
  const now = Date.parse(later.timestamp) + 2 * 86_400_000
  const db = { ...service.ctx.db, now: () => now }
  const job = { id: '1', createdAt: new Date(), signal: new AbortController().signal }
  await tasks['delete-old-messages']({ ...service.ctx, db }, {}, job)
  const query = { enter: false }
  expect(texts(await alice.read(query))).toEqual(['a new post', 'a new one, wait'])
  expect(texts(await owner.held())).toEqual(['a new one, wait'])
  await expect(owner.decide(held.id, true)).rejects.toMatchObject({ code: 'not_found' })
  expect(texts(await carol.read(query))).toEqual(['an old post'])
  expect(await owner.unread()).toBe(1)
  expect(await faultsOf(forMonth)).toEqual([])
  // This sets the chat back to the retention of the service.
  expect(await owner.rules({ retention_days: 0 })).toEqual({ slow_seconds: 0, words: ['wait'] })
  await tasks['delete-old-messages'](
    { ...service.ctx, db: { ...db, now: () => now + 10 * 86_400_000 } },
    {},
    job,
  )
  expect(texts(await alice.read(query))).toEqual(['a new post', 'a new one, wait'])
})
