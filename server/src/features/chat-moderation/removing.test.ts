import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, newWallet, type Service, useService } from '../../../../testing/service/service.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { check } from '../../check/check.ts'

const service = useService()
const second = useService({ beside: service })

async function member(on: Service, address = newWallet()) {
  const client = await on.as(address)
  return {
    address,
    client,
    join: (nftaddr: string) => client.joinChat({ body: { walletaddr: address, nftaddr } }),
    post: async (nftaddr: string, message: string, options = {}) =>
      (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }, options))[0]!,
    list: (nftaddr: string, query: object = { enter: false }) =>
      client.listGroupMessages({ address: nftaddr, useraddress: address, query }),
    remove: (nftaddr: string, id: number) => client.removePost({ nftaddr, id }),
    unread: (nftaddr: string) => client.countUnreadOfChat({ address: nftaddr, useraddress: address }),
  }
}

/** Returns every row of every table that has a text. */
async function rowsWith({ ctx: { db } }: Service, text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  const found: string[] = []
  for (const { name } of tables)
    if ((await db.query(`select 1 from ${name} r where strpos(r::text, $1) > 0`, [text])).length > 0)
      found.push(name)
  return found
}

async function faultsOf({ databaseUrl }: Service): Promise<string[]> {
  const faults: string[] = []
  await check({ databaseUrl, onFault: ({ row, wrong }) => faults.push(`${row}: ${wrong.join('; ')}`) })
  return faults
}

test('a message that its author removes stays as an item without text, wherever it is shown', async () => {
  const town = newName('Town')
  const [alice, bob] = [await member(service), await member(service)]
  await alice.client.createCommunity({ body: { community: town } })
  await bob.join(town.toLowerCase())
  const first = await alice.post(town, 'the first')
  await using live = await listenTo(service, bob.address)
  const sent = await bob.post(town, 'a secret', { idempotencyKey: 'once' })
  await live.receives(1)
  expect(await rowsWith(service, 'a secret')).toEqual(['group_messages', 'group_chats'].toSorted())

  await bob.remove(town.toUpperCase(), sent.id)
  await live.receives(2)
  const removed = { type: 'post-removed', id: sent.id, nftaddr: town, removed_by: 'author' }
  expect(live.events().at(-1)).toEqual(removed)
  expect(await rowsWith(service, 'a secret')).toEqual([])

  const tombstone = { ...sent, message: '', removed: true, removed_by: 'author' }
  expect((await alice.list(town)).at(-1)).toEqual(tombstone)
  const { messages } = (await alice.client.getCommunity({ community: town, address: alice.address }))[0]!
  expect(messages.at(-1)).toEqual(tombstone)
  const [row] = await bob.client.getInbox({ address: bob.address })
  expect(row).toMatchObject({ id: sent.id, message: '', removed: true, removed_by: 'author' })
  const files = await unzip(
    Buffer.from(await new Response(await bob.client.exportAccount({ address: bob.address })).arrayBuffer()),
  )
  expect(JSON.parse(String(files.get('group-messages.jsonl')))).toEqual(tombstone)

  await using resumed = await listenTo(service, bob.address, { lastEventId: String(first.id) })
  await resumed.receives(2)
  expect(resumed.events()).toEqual([{ type: 'group-message', item: tombstone }, removed])

  // The next one is shown as ever, and what was removed stays so.
  const next = await alice.post(town, 'the next')
  const [after] = await bob.client.getInbox({ address: bob.address })
  expect(after).toMatchObject({ id: next.id, message: 'the next' })
  expect(after).not.toHaveProperty('removed')
  expect(await faultsOf(service)).toEqual([])
})

test('only its author and the creator of the community remove a message; to repeat it changes nothing', async () => {
  const [town, punks] = [newName('Town'), newWallet()]
  const [owner, alice, bob] = [await member(service), await member(service), await member(service)]
  await owner.client.createCommunity({ body: { community: town } })
  const [one, two, own] = [
    await alice.post(town, 'one'),
    await alice.post(town, 'two'),
    await owner.post(town, 'own'),
  ]
  const nft = await alice.post(punks, 'in the chat of an NFT')
  const refused = { code: 'not_found' }
  await expect(bob.remove(town, one.id)).rejects.toMatchObject(refused)
  await expect(alice.remove(town, own.id)).rejects.toMatchObject(refused)
  await expect(owner.remove(punks, nft.id)).rejects.toMatchObject(refused)
  // These ids are of another chat, of none, and of what is no message.
  await expect(owner.remove(punks, one.id)).rejects.toMatchObject(refused)
  await expect(owner.remove('nowhere', one.id)).rejects.toMatchObject(refused)
  await expect(owner.remove(town, one.id + 64)).rejects.toMatchObject(refused)
  await expect(owner.remove(town, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(refused)
  const { removePost } = service.anonymous
  await expect(removePost({ nftaddr: town, id: one.id })).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await bob.list(town)).map(({ message }) => message)).toEqual(['one', 'two', 'own'])

  await owner.remove(town, one.id)
  await alice.remove(town, two.id)
  await owner.remove(town, own.id)
  await alice.remove(punks, nft.id)
  const all = await bob.list(town)
  expect(all.map(({ removed_by }) => removed_by)).toEqual(['moderator', 'author', 'author'])
  await using live = await listenTo(service, owner.address)
  await owner.join(town)
  await owner.remove(town, two.id)
  await alice.remove(town, one.id)
  expect(await bob.list(town)).toEqual(all)
  // Nobody is notified again.
  const last = await owner.post(town, 'last')
  await expect.poll(() => live.events().at(-1)).toEqual({ type: 'group-message', item: last })
  expect(live.events().map(({ type }) => type)).not.toContain('post-removed')
})

test('members of the chat at another instance are told, others are not', async () => {
  const punks = newWallet()
  const [alice, bob, carol] = [await member(service), await member(second), await member(second)]
  await bob.join(punks)
  await using ofBob = await listenTo(second, bob.address)
  await using ofCarol = await listenTo(second, carol.address)
  const post = await alice.post(punks, 'gm')
  await alice.remove(punks, post.id)
  await ofBob.receives(2)
  expect(ofBob.events().at(-1)).toMatchObject({ type: 'post-removed', id: post.id })
  await alice.client.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: carol.address, message: 'hello' },
  })
  await ofCarol.receives(1)
  expect(ofCarol.messages()).toEqual(['hello'])
  expect(ofCarol.events()).toHaveLength(1)
  // The chat of a contract has the address of the contract, which may sign in as a wallet.
  await using ofContract = await listenTo(second, punks)
  const other = await alice.post(punks, 'gm')
  await alice.remove(punks, other.id)
  await alice.client.sendDirectMessage({
    body: { fromaddr: alice.address, toaddr: punks, message: 'hello' },
  })
  await ofContract.receives(1)
  expect(ofContract.events()).toHaveLength(1)
})

test('removals beside posts, reads and other removals: one event each, and every count is right', async () => {
  const punks = newWallet()
  const [alice, bob] = [await member(service), await member(second)]
  await bob.join(punks)
  await using ofBob = await listenTo(second, bob.address)
  const posts = await Promise.all(Array.from({ length: 40 }, (_, n) => alice.post(punks, `text ${n}`)))
  const other = await member(second, alice.address)
  await Promise.all(
    posts.flatMap(({ id }, n) => [
      alice.remove(punks, id),
      other.remove(punks, id),
      n % 3 === 0 ? alice.post(punks, `later ${n}`) : Promise.resolve(),
      n % 5 === 0
        ? bob.client.markReadTo({ addr: punks, body: { id, context_type: 'nft' } })
        : Promise.resolve(),
    ]),
  )
  const all = await alice.list(punks)
  expect(all).toHaveLength(54)
  for (const { message, removed } of all) expect(message === '').toBe(removed === true)
  expect(all.filter(({ removed }) => removed)).toHaveLength(40)
  const removedIds = () =>
    ofBob.events().flatMap((event) => (event.type === 'post-removed' ? [event.id] : []))
  await expect.poll(() => removedIds().length).toBeGreaterThanOrEqual(40)
  expect(removedIds().toSorted((a, b) => a - b)).toEqual(posts.map(({ id }) => id).toSorted((a, b) => a - b))
  expect(await faultsOf(service)).toEqual([])
})

const step = fc.record({
  do: fc.constantFrom(...(['post', 'remove', 'remove', 'enter', 'read', 'join', 'leave'] as const)),
  by: fc.nat({ max: 2 }),
  at: fc.nat({ max: 20 }),
})

test('what is unread is what a recount says, whatever is removed, posted and read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const chat = newWallet()
      const members = await Promise.all([0, 1, 2].map(() => member(service)))
      const posts: { id: number; by: number }[] = []
      const read = [0, 0, 0]
      for (const { do: action, by, at } of steps) {
        const one = members[by]!
        const post = posts[at % Math.max(posts.length, 1)]
        if (action === 'post') posts.push({ id: (await one.post(chat, `text ${at}`)).id, by })
        else if (action === 'enter') {
          await one.list(chat, {})
          read[by] = posts.at(-1)?.id ?? 0
        } else if (action === 'join') await one.join(chat)
        else if (action === 'leave')
          await one.client.leaveChat({ body: { walletaddr: one.address, nftaddr: chat } })
        else if (post && action === 'remove') await members[post.by]!.remove(chat, post.id)
        else if (post && action === 'read') {
          await one.client.markReadTo({ addr: chat, body: { id: post.id, context_type: 'nft' } })
          read[by] = Math.max(read[by]!, post.id)
        }
        for (const [n, each] of members.entries())
          expect(await each.unread(chat)).toBe(
            posts.filter(({ id, by: author }) => author !== n && id > read[n]!).length,
          )
      }
    }),
    { numRuns: 12 },
  )
  expect(await faultsOf(service)).toEqual([])
})
