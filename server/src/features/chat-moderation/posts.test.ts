import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, type Service, useService } from '../../../../testing/service/service.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { check } from '../../check/check.ts'

const service = useService()
const other = useService({ beside: service })

const faultsIn = async ({ databaseUrl }: Service) => {
  const found: string[] = []
  await check({ databaseUrl, onFault: ({ row, wrong }) => found.push(`${row}: ${wrong.join('; ')}`) })
  return found
}

/** Returns how many rows of all tables have a text. */
async function rowsWith({ ctx: { db } }: Service, text: string): Promise<number> {
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  let found = 0
  for (const { name } of tables) {
    const [row] = await db.query<{ n: number }>(
      `select count(*)::integer as n from ${name} t where t::text like $1`,
      [`%${text}%`],
    )
    found += row!.n
  }
  return found
}

test('a removed message is a message without a text, everywhere, and no count changes', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  await using stream = await listenTo(service, bob.address)
  await alice.post('one')
  const secret = await alice.post('a secret that nobody keeps')
  expect([await bob.unread(), (await bob.row()).message]).toEqual([2, 'a secret that nobody keeps'])
  expect(await rowsWith(service, 'secret that nobody')).toBe(2)
  await expect(bob.remove(secret.id)).rejects.toMatchObject({ status: 404 })
  await owner.remove(secret.id, 'too secret')
  await owner.remove(secret.id)
  expect(await rowsWith(service, 'secret that nobody')).toBe(0)
  const gone = { id: secret.id, message: '', removed: true, removed_by: 'moderator' }
  expect([await bob.unread(), await bob.row()]).toEqual([2, expect.objectContaining({ ...gone, unread: 2 })])
  expect((await bob.read()).map(({ message }) => message)).toEqual(['one', ''])
  expect((await bob.read())[1]).toMatchObject(gone)
  const [info] = await bob.client.getCommunity({ community: town, address: bob.address })
  expect(info!.messages.at(-1)).toMatchObject(gone)
  await stream.receives(4)
  const removals = stream.events().filter(({ type }) => type === 'post-removed')
  expect(removals).toEqual([{ type: 'post-removed', id: secret.id, nftaddr: town, removed_by: 'moderator' }])
  // This listener comes back after the removal, from before it.
  await using resumed = await listenTo(service, bob.address, { lastEventId: stream.received[0]!.id })
  await resumed.receives(2)
  expect(resumed.messages()).toContain('')
  expect(resumed.messages()).not.toContain('a secret that nobody keeps')
  expect(resumed.events()).toContainEqual(removals[0])
  const files = await unzip(
    Buffer.from(
      await new Response(await alice.client.exportAccount({ address: alice.address })).arrayBuffer(),
    ),
  )
  expect(String(files.get('group-messages.jsonl'))).toContain('"removed_by":"moderator"')
  expect(await owner.log()).toEqual([['remove_post', alice.address]])
  expect(await faultsIn(service)).toEqual([])
})

test('an author removes what it has posted, and nobody else does; the next post is shown as ever', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  const own = await alice.post('mine')
  await expect(bob.remove(own.id)).rejects.toMatchObject({ status: 404 })
  await expect(bob.remove(own.id + 64)).rejects.toMatchObject({ status: 404 })
  await alice.remove(own.id)
  expect((await bob.row()).removed_by).toBe('author')
  const next = await alice.post('next')
  expect(await bob.row()).toMatchObject({ id: next.id, message: 'next', unread: 2 })
  expect(await bob.row()).not.toHaveProperty('removed')
  expect(await owner.log()).toEqual([])
  expect(await bob.readTo(own.id)).toMatchObject({ unread: 1 })
  expect(await faultsIn(service)).toEqual([])
})

test('who removes a message and who posts at once do not hinder each other', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  const posted = await Promise.all(Array.from({ length: 30 }, (_, n) => alice.post(`${n}`)))
  const elsewhere = await other.as(owner.address)
  await Promise.all([
    ...posted.map(({ id }) => owner.remove(id)),
    ...posted.map(({ id }) => elsewhere.removePost({ nftaddr: town, id })),
    ...posted.map(({ id }) => bob.readTo(id)),
    ...posted.map((_, n) => alice.post(`more ${n}`)),
  ])
  expect(await bob.unread()).toBeLessThanOrEqual(30)
  expect((await owner.log()).length).toBe(30)
  expect((await bob.read()).filter(({ removed }) => removed).length).toBe(30)
  expect(await faultsIn(service)).toEqual([])
})

/** Returns what a wallet sees, without what differs by chance. */
function plainly(value: unknown, names: Record<string, string>): unknown {
  let text = JSON.stringify(value)
  for (const [name, plain] of Object.entries(names)) text = text.replaceAll(name, plain)
  return JSON.parse(
    text
      .replaceAll(/"(id|last)":\d+/g, '"$1":0')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/"\d+"/g, '"0"')
      .replaceAll(',"held":true', ''),
  )
}

/** Returns events without repetitions, and without those before. */
const onceEach = (events: unknown[], before: unknown[] = []): unknown[] => {
  const seen = new Set(before.map((event) => JSON.stringify(event)))
  return events.filter((event) => {
    const text = JSON.stringify(event)
    return !seen.has(text) && seen.add(text)
  })
}

test('its author is told that a post is held, and nothing else is another: every answer, row and event', async () => {
  const seen: unknown[] = []
  for (const rule of ['words', 'open']) {
    const community = newName(rule)
    const [owner, alice, bob] = await newCommunity(service, community)
    if (rule === 'words') await owner.rules({ words: ['airdrop'] })
    await using stream = await listenTo(service, alice.address)
    const answers: unknown[] = []
    const see = async (value: Promise<unknown>) => answers.push(await value)
    const look = async () => {
      const address = alice.address
      await see(alice.row())
      await see(alice.unread())
      await see(alice.read({ enter: false }))
      await see(alice.read({ enter: false, limit: 1, before: Number.MAX_SAFE_INTEGER }))
      await see(alice.client.countUnread({ address }))
      await see(alice.client.getInbox({ address, query: { limit: 1 } }))
    }
    await bob.post('hello')
    await see(alice.post('an airdrop'))
    await look()
    const [last] = (await alice.read({ enter: false })).slice(-1)
    await see(alice.readTo(last!.id))
    await see(alice.readTo(last!.id))
    await see(alice.post('another AIRDR0P!'))
    await look()
    await see(alice.read())
    await see(alice.read())
    await see(alice.client.getCommunity({ community, address: alice.address }))
    await bob.post('and?')
    await look()
    const key = { idempotencyKey: 'again' }
    const body = { fromaddr: alice.address, nftaddr: community, message: 'airdrop, again' }
    for (let n = 0; n < 2; n++) await see(alice.client.postGroupMessage({ body }, key))
    await Promise.all(Array.from({ length: 20 }, () => alice.post('airdrop')))
    await look()
    const mine = await alice.post('my airdrop')
    await expect.poll(() => stream.messages()).toContain('my airdrop')
    await see(alice.remove(mine.id))
    await look()
    await see(alice.remove(mine.id))
    await expect.poll(() => stream.events().some(({ type }) => type === 'post-removed')).toBe(true)
    await using resumed = await listenTo(service, alice.address, { lastEventId: stream.received[0]!.id })
    await expect.poll(() => resumed.events().some(({ type }) => type === 'post-removed')).toBe(true)
    const files = await unzip(
      Buffer.from(
        await new Response(await alice.client.exportAccount({ address: alice.address })).arrayBuffer(),
      ),
    )
    const exported = ['group-messages.jsonl', 'visits.jsonl', 'chat-log.jsonl'].map((name) =>
      (files.get(name)?.toString() ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown),
    )
    expect((await bob.read()).length).toBe(rule === 'words' ? 2 : 26)
    expect(JSON.stringify(answers).includes('"held":true')).toBe(rule === 'words')
    const names = { [alice.address]: 'ALICE', [bob.address]: 'BOB', [community]: 'CHAT' }
    // Events come at least once, so what came before the stream was resumed may be there again.
    const events = onceEach(stream.events())
    const later = onceEach(resumed.events(), events.slice(0, 1))
    seen.push(plainly({ answers, events, later, exported }, names))
    expect(await faultsIn(service)).toEqual([])
  }
  expect(seen[0]).toEqual(seen[1])
})

test('nobody but its author and moderators has a held post; who approves it posts it anew', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  await owner.rules({ words: ['Free money', 'ｓｃａｍ'] })
  await using stream = await listenTo(service, bob.address)
  const held: { id: number }[] = []
  for (const message of ['FREE m0ney here', 'no sсam, sir', 'a-scam!', 'free money'])
    held.push(await alice.post(message))
  await alice.post('scammer, freemoney')
  await owner.post('scam')
  expect((await bob.read()).map(({ message }) => message)).toEqual(['scammer, freemoney', 'scam'])
  expect(await bob.row()).toMatchObject({ message: 'scam' })
  expect((await owner.held()).map(({ id }) => id)).toEqual(held.map(({ id }) => id))
  for (const one of [bob, alice]) {
    await expect(one.held()).rejects.toMatchObject({ status: 403 })
    await expect(one.decide(held[0]!.id, true)).rejects.toMatchObject({ status: 403 })
  }
  await owner.decide(held[0]!.id, true)
  await expect(owner.decide(held[0]!.id, true)).rejects.toMatchObject({ status: 404 })
  await owner.decide(held[1]!.id, false)
  // The author and a moderator act at once.
  const settled = await Promise.allSettled([
    owner.decide(held[2]!.id, true),
    owner.decide(held[2]!.id, false),
  ])
  expect(settled.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  const texts = (await bob.read()).map(({ message }) => message)
  expect(texts.slice(0, 3)).toEqual(['scammer, freemoney', 'scam', 'FREE m0ney here'])
  expect((await bob.read())[2]!.id).toBeGreaterThan(held[0]!.id)
  const own = await alice.read()
  expect(own.find(({ id }) => id === held[0]!.id)).toBeUndefined()
  expect(own.find(({ id }) => id === held[1]!.id)).toMatchObject({ message: '', removed_by: 'moderator' })
  expect(await rowsWith(service, 'no sсam')).toBe(0)
  await expect.poll(() => stream.messages()).toContain('FREE m0ney here')
  expect(stream.messages()).not.toContain('free money')
  expect(await faultsIn(service)).toEqual([])
  // A post that waits belongs only to its author, and goes with it.
  await alice.client.eraseAccount({ address: alice.address })
  expect(await rowsWith(service, 'free money')).toBe(0)
  expect(await owner.held()).toEqual([])
  expect(await faultsIn(service)).toEqual([])
})
