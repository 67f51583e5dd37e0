import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { chatMember, newCommunity } from '../../../../testing/people/chat-members.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { newName, type Service, startService, useService } from '../../../../testing/service/service.ts'
import { check } from '../../check/check.ts'
import { deleteOldRestrictions } from '../../messages/chat-rules.ts'

const service = useService()
const other = useService({ beside: service })
const [quick, quickToo] = [1, 2].map(() => useService({ beside: service, refreshEvery: 50 })) as [
  Service,
  Service,
]

const refused = (status: number, text = '') => ({ status, message: expect.stringContaining(text) })
const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

test('the creator of a community owns it; it adds and removes moderators, and hands it over', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  const at = { nftaddr: town }
  const roles = async () =>
    (await bob.client.listModerators(at)).map(({ walletaddr, role }) => [walletaddr, role])
  expect(await roles()).toEqual([[owner.address, 'owner']])
  const add = (by: typeof owner, walletaddr: string) => by.client.addModerator({ ...at, walletaddr })
  await expect(add(alice, alice.address)).rejects.toMatchObject(refused(403, 'its owner'))
  for (let n = 0; n < 2; n++) await add(owner, alice.address)
  await expect(add(alice, bob.address)).rejects.toMatchObject(refused(403))
  await expect(alice.rules({ slow_seconds: 1 })).rejects.toMatchObject(refused(403))
  await expect(alice.restrict(owner.address, { muted_until: 'forever' })).rejects.toMatchObject(refused(409))
  await expect(owner.restrict(alice.address, { muted_until: 'forever' })).rejects.toMatchObject(refused(409))
  const handOver = (by: typeof owner, walletaddr: string) =>
    by.client.handOverChat({ ...at, body: { walletaddr } })
  await expect(handOver(owner, bob.address)).rejects.toMatchObject(refused(409))
  await expect(handOver(alice, alice.address)).rejects.toMatchObject(refused(403))
  await expect(owner.client.removeModerator({ ...at, walletaddr: owner.address })).rejects.toMatchObject(
    refused(409),
  )
  await handOver(owner, alice.address)
  expect(await roles()).toEqual([
    [alice.address, 'owner'],
    [owner.address, 'moderator'],
  ])
  expect((await alice.client.getCommunity({ community: town, address: alice.address }))[0]).toMatchObject({
    is_creator: true,
  })
  await owner.client.removeModerator({ ...at, walletaddr: owner.address })
  expect(await roles()).toEqual([[alice.address, 'owner']])
  await expect(owner.log()).rejects.toMatchObject(refused(403))
  expect((await alice.log()).map(([action]) => action)).toEqual([
    'remove_moderator',
    'hand_over',
    'add_moderator',
  ])
  await expect(bob.client.claimChat(at)).rejects.toMatchObject(refused(400))
  await expect(
    bob.client.claimChat({ nftaddr: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb' }),
  ).rejects.toMatchObject(refused(503, 'no chain'))
  await expect(bob.client.listModerators({ nftaddr: 'nowhere' })).rejects.toMatchObject(refused(404))
  // The wallet that has moderated longest follows an owner who is erased; after the last one nobody does.
  await add(alice, bob.address)
  await add(alice, owner.address)
  await alice.client.eraseAccount({ address: alice.address })
  expect(await roles()).toEqual([
    [bob.address, 'owner'],
    [owner.address, 'moderator'],
  ])
  expect((await bob.client.getCommunity({ community: town, address: bob.address }))[0]).toMatchObject({
    is_creator: true,
  })
  await bob.client.removeModerator({ ...at, walletaddr: owner.address })
  await bob.client.eraseAccount({ address: bob.address })
  expect(await owner.client.listModerators(at)).toEqual([])
  const [left] = await owner.client.getCommunity({ community: town, address: owner.address })
  expect(left).not.toHaveProperty('is_creator')
})

test('of two hand-overs at once there is one owner', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  const at = { nftaddr: town }
  for (const { address } of [alice, bob]) await owner.client.addModerator({ ...at, walletaddr: address })
  await Promise.allSettled(
    [alice, bob].map(({ address }) => owner.client.handOverChat({ ...at, body: { walletaddr: address } })),
  )
  const roles = await bob.client.listModerators(at)
  expect(roles.filter(({ role }) => role === 'owner').length).toBe(1)
})

test('who is muted reads and does not post; who is banned does neither, on every instance, until the end', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(service, town)
  const elsewhere = await chatMember(other, town, alice.address)
  await bob.post('one')
  await owner.restrict(alice.address, { muted_until: soon(3_600_000), reason: 'Too loud' })
  await expect(alice.post('no')).rejects.toMatchObject(refused(403, 'Too loud'))
  expect((await alice.read()).length).toBe(1)
  await expect.poll(() => elsewhere.post('no').catch(({ status }) => status), { timeout: 5_000 }).toBe(403)
  await using stream = await listenTo(service, alice.address)
  await using streamElsewhere = await listenTo(other, alice.address)
  await bob.post('two')
  for (const one of [stream, streamElsewhere]) await one.receives(1)
  expect(await alice.unread()).toBe(1)
  await owner.restrict(alice.address, { banned_until: 'forever' })
  await expect.poll(() => elsewhere.read().catch(({ status }) => status), { timeout: 5_000 }).toBe(403)
  await bob.post('three')
  for (const { read, post, unread, row, client } of [alice, elsewhere]) {
    await expect(read()).rejects.toMatchObject(refused(403, 'banned'))
    await expect(post('no')).rejects.toMatchObject(refused(403, 'banned'))
    await expect(client.listMembers({ nftaddr: town })).rejects.toMatchObject(refused(403))
    expect([await unread(), await row()]).toEqual([
      0,
      expect.objectContaining({ id: 0, message: '', unread: 0 }),
    ])
    expect(await client.countUnreadByType({ address: alice.address, type: 'community' })).toBe(0)
  }
  const body = { fromaddr: alice.address, nftaddr: town }
  await expect(alice.client.sendTyping({ body })).rejects.toMatchObject(refused(403))
  await using resumed = await listenTo(other, alice.address, { lastEventId: stream.received[0]!.id })
  await using theirs = await listenTo(service, bob.address)
  await using theirsElsewhere = await listenTo(other, bob.address)
  await bob.post('four')
  for (const one of [theirs, theirsElsewhere]) await one.receives(1)
  await sleep(100)
  for (const one of [stream, streamElsewhere, resumed]) expect(one.messages().slice(1)).toEqual([])
  expect((await owner.client.listRestricted({ nftaddr: town }))[0]).toMatchObject({
    walletaddr: alice.address,
    banned_until: 'forever',
  })
  // An end in time works by itself.
  await owner.restrict(alice.address, { banned_until: soon(1_000) })
  await expect
    .poll(
      () =>
        alice.read().then(
          ({ length }) => length,
          () => 0,
        ),
      { timeout: 5_000 },
    )
    .toBeGreaterThan(3)
  await owner.restrict(alice.address, {})
  expect((await alice.post('back')).message).toBe('back')
  expect((await owner.log()).map(([action]) => action)).toEqual(['lift', 'ban', 'ban', 'mute'])
  const later = { ...service.ctx.db, now: () => Date.now() + 48 * 3_600_000 }
  await deleteOldRestrictions(later)
  expect(await owner.client.listRestricted({ nftaddr: town })).toEqual([])
})

test('an instance that starts keeps out who is banned', async () => {
  const town = newName('town')
  const [owner, alice] = await newCommunity(service, town)
  await owner.restrict(alice.address, { banned_until: 'forever' })
  await using next = await startService({ beside: service })
  const client = await next.as(alice.address)
  await expect(client.listGroupMessages({ address: town, useraddress: alice.address })).rejects.toMatchObject(
    refused(403),
  )
})

test('in slow mode a wallet waits between two posts, also on two instances at once; its owner does not', async () => {
  const town = newName('town')
  const [owner, alice, bob] = await newCommunity(quick, town)
  await owner.rules({ slow_seconds: 2 })
  const elsewhere = await chatMember(quickToo, town, alice.address)
  await expect.poll(async () => (await elsewhere.client.getChatRules({ nftaddr: town })).slow_seconds).toBe(2)
  await sleep(500)
  const posts = await Promise.allSettled([alice, elsewhere, alice, elsewhere].map(({ post }) => post('gm')))
  const reasons = posts.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(reasons.length).toBe(3)
  for (const reason of reasons) expect(reason).toMatchObject({ ...refused(429, 'slow mode'), retryAfter: 2 })
  await bob.post('gm')
  for (let n = 0; n < 3; n++) await owner.post('gm')
  // A key that was refused is free again.
  const body = { fromaddr: alice.address, nftaddr: town, message: 'again' }
  const postAgain = () => alice.client.postGroupMessage({ body }, { idempotencyKey: 'a' })
  const again = await vi.waitFor(postAgain, { timeout: 10_000, interval: 100 })
  expect(await postAgain()).toEqual(again)
  await expect(alice.client.postGroupMessage({ body }, { idempotencyKey: 'b' })).rejects.toMatchObject(
    refused(429),
  )
  await owner.rules({ slow_seconds: 0 })
  await alice.client.postGroupMessage({ body }, { idempotencyKey: 'b' })
  expect((await bob.read()).length).toBe(7)
})

const step = fc.record({
  do: fc.constantFrom('post', 'hold', 'read', 'readTo', 'remove', 'approve', 'reject', 'mute', 'ban', 'lift'),
  by: fc.nat({ max: 2 }),
  of: fc.nat({ max: 200 }),
})

test('after any history of posts, removals, holds and bans, every count equals a recount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, atOnce) => {
      const town = newName('town')
      const members = await newCommunity(service, town)
      const [owner] = members
      await owner.rules({ words: ['hold'] })
      const ids: number[] = []
      const run = async (s: (typeof steps)[number]): Promise<unknown> => {
        const who = members[s.by]!
        const id = ids[s.of % Math.max(1, ids.length)] ?? 1
        if (s.do === 'post' || s.do === 'hold') return ids.push((await who.post(s.do)).id)
        if (s.do === 'read') return who.read()
        if (s.do === 'readTo') return who.readTo(id)
        if (s.do === 'remove') return (s.of % 2 ? owner : who).remove(id)
        if (s.do === 'approve' || s.do === 'reject') return owner.decide(id, s.do === 'approve')
        const until = s.do === 'mute' ? { muted_until: 'forever' } : { banned_until: 'forever' }
        return owner.restrict(who.address, s.do === 'lift' ? {} : until)
      }
      const tolerant = (s: (typeof steps)[number]) =>
        run(s).catch((error: { status?: number }) => expect(error.status).toBeLessThan(500))
      if (atOnce) await Promise.all(steps.map(tolerant))
      else for (const s of steps) await tolerant(s)
      for (const { address } of members.slice(1)) await owner.restrict(address, {})
      for (const { address, unread, row, read } of members) {
        const [recount] = await service.ctx.db.query<{ n: number }>(
          `select count(*) as n from group_messages where chat = $1 and fromaddr <> $2
           and id > coalesce((select seen_id from group_visits where walletaddr = $2 and chat = $1), 0)`,
          [town, address],
        )
        const shown = await row()
        expect([await unread(), shown.unread]).toEqual([recount!.n, recount!.n])
        const all = await read({ enter: false })
        expect(shown.id).toBe(all.at(-1)?.id ?? 0)
        expect(all.map(({ timestamp }) => timestamp)).toEqual(
          all.map(({ timestamp }) => timestamp).toSorted(),
        )
      }
    }),
    { numRuns: 15 },
  )
  // What is wrong stays wrong, so one check finds what any of them did.
  const found: string[] = []
  await check({
    databaseUrl: service.databaseUrl,
    onFault: ({ row, wrong }) => found.push(`${row}: ${wrong.join('; ')}`),
  })
  expect(found).toEqual([])
}, 120_000)
