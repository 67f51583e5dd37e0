import { expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { expireBefore, forgetReleased } from '../../../../testing/service/written-directly.ts'
import {
  newName,
  newWallet,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { check } from '../../check/check.ts'
import { printHeld } from './commands.ts'

const service = useService()
const second = useService({ beside: service })

async function newOperator(on: Service) {
  const address = newWallet()
  await addOperator(on, address)
  const client = await on.as(address)
  return {
    client,
    act: (action: 'hold' | 'release', subject: string) =>
      client.act({ body: { action, subject, reason: 'a letter of a court' } }),
  }
}

async function person(on: Service) {
  const address = newWallet()
  const client = await on.as(address)
  return {
    address,
    client,
    send: async (toaddr: string, message: string) =>
      (await client.sendDirectMessage({ body: { fromaddr: address, toaddr, message } }))[0]!,
    post: async (nftaddr: string, message: string) =>
      (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!,
    remove: (nftaddr: string, id: number) => client.removePost({ nftaddr, id }),
  }
}

const kept = async (...authors: { address: string }[]) =>
  (
    await service.ctx.db.query<{ cause: string; message: string }>(
      `select cause, item->>'message' as message from held_messages where fromaddr = any ($1) order by id`,
      [authors.map(({ address }) => address)],
    )
  ).map(({ cause, message }) => `${cause}: ${message}`)

const isHeld = ({ ctx }: Service, subject: string, held = true) =>
  expect.poll(() => ctx.standing.sanction(subject, 'hold') !== undefined, { timeout: 5000 }).toBe(held)

async function expectNoFaults({ databaseUrl }: Service): Promise<void> {
  const faults: string[] = []
  await check({ databaseUrl, onFault: ({ row, wrong }) => faults.push(`${row}: ${wrong.join('; ')}`) })
  expect(faults).toEqual([])
}

test('a message is kept with each column that its table has, also with those of a later release', async () => {
  await using own = await startService()
  const [alice, bob] = [await person(own), await person(own)]
  const { act } = await newOperator(own)
  await act('hold', alice.address)
  await isHeld(own, alice.address)
  const { db } = own.ctx
  for (const table of ['direct_messages', 'group_messages', 'withheld_posts'])
    await db.query(`alter table ${table} add column later text`)
  const chat = newWallet()
  const [sent, erased] = [await alice.send(bob.address, 'sent'), await alice.send(bob.address, 'erased')]
  const post = await alice.post(chat, 'post')
  await db.query(`update direct_messages set later = 'of ' || message`)
  await db.query(`update group_messages set later = 'of ' || message`)
  await alice.client.deleteDirectMessage({ id: sent.id })
  await alice.remove(chat, post.id)
  await bob.client.hideMessage({ id: erased.id })
  await alice.client.eraseAccount({ address: alice.address })
  await expect
    .poll(async () =>
      (
        await db.query<{ later: string }>(`select item->>'later' as later from held_messages order by id`)
      ).map(({ later }) => later),
    )
    .toEqual(['of sent', 'of erased', 'of post'])
  const lines: string[] = []
  await printHeld(own.databaseUrl, alice.address, (line) => lines.push(line))
  expect(lines.map((line) => (JSON.parse(line) as { later: string }).later)).toEqual([
    'of sent',
    'of erased',
    'of post',
  ])
})

test('what only its author sees is kept aside too when the account is erased', async () => {
  const alice = await person(service)
  const { act, client } = await newOperator(service)
  await act('hold', alice.address)
  await isHeld(service, alice.address)
  const chat = newWallet()
  const edited = await alice.post(chat, 'seen by all')
  await client.act({ body: { action: 'shadow_mute', subject: alice.address, reason: 'a test' } })
  await alice.client.editMessage({ id: edited.id, body: { message: 'an unseen edit', revision: 0 } })
  await alice.post(chat, 'an unseen post')
  await alice.client.eraseAccount({ address: alice.address })
  expect(await kept(alice)).toEqual(['erasure: an unseen post'])
  const [row] = await service.ctx.db.query<{ row: string }>(
    'select m::text as row from group_messages m where bucket = $1 and id = $2',
    [edited.id % 64, edited.id],
  )
  expect(row!.row).toContain('an unseen edit')
  await expectNoFaults(service)
})

test('what is held is kept aside however it is deleted, and goes when the hold ends', async () => {
  const [alice, bob, carol] = [await person(service), await person(second), await person(service)]
  const { act, client: operator } = await newOperator(service)
  const first = await alice.send(bob.address, 'before the hold')
  await act('hold', alice.address)
  for (const one of [service, second]) await isHeld(one, alice.address)
  expect(await operator.getSubject({ address: alice.address })).toMatchObject([
    { sanctions: [{ kind: 'hold' }], history: [{ action: 'hold' }] },
  ])
  // The wallet gets no notice.
  expect([await alice.client.listNotices(), await alice.client.listSanctions()]).toEqual([[], []])

  await alice.client.deleteDirectMessage({ id: first.id })
  const byBob = await bob.send(alice.address, 'from bob')
  await bob.client.deleteDirectMessage({ id: byBob.id })
  const hidden = await alice.send(bob.address, 'hidden by both')
  await alice.client.hideMessage({ id: hidden.id })
  await bob.client.hideMessage({ id: hidden.id })
  await alice.send(bob.address, 'the rest')
  await bob.client.deleteConversation({ fromaddr: bob.address, toaddr: alice.address })
  await alice.send(carol.address, 'cleared by both')
  await carol.client.hideConversation({ toaddr: alice.address })
  await alice.client.hideConversation({ toaddr: carol.address })
  const chat = newWallet()
  await alice.remove(chat, (await alice.post(chat, 'a post')).id)
  await bob.remove(chat, (await bob.post(chat, 'not held')).id)
  await bob.client.deleteDirectMessage({ id: (await bob.send(carol.address, 'not held')).id })
  const deleted = ['before the hold', 'from bob', 'hidden by both', 'the rest', 'cleared by both', 'a post']
  expect(await kept(alice, bob, carol)).toEqual(deleted.map((text) => `deletion: ${text}`))
  const lines: string[] = []
  const shouted = alice.address.toUpperCase().replace('X', 'x')
  expect(await printHeld(service.databaseUrl, shouted, (line) => lines.push(line))).toBe(
    '# 6 messages were kept',
  )
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(deleted)
  expect(await operator.listModerationLog({ query: { limit: 1 } })).toMatchObject([
    { action: 'view_held', operator: 'command-line', subject: alice.address },
  ])
  // People see what they always see.
  expect(await alice.client.listConversation({ fromaddr: alice.address, toaddr: bob.address })).toEqual([])
  expect(await bob.client.listGroupMessages({ address: chat, useraddress: bob.address })).toMatchObject([
    { removed: true, message: '' },
    { removed: true, message: '' },
  ])
  const files = await unzip(
    Buffer.from(
      await new Response(await alice.client.exportAccount({ address: alice.address })).arrayBuffer(),
    ),
  )
  for (const text of deleted)
    expect([...files.values()].some((file) => String(file).includes(`"${text}"`))).toBe(false)
  await expectNoFaults(service)

  await act('release', alice.address)
  for (const one of [service, second]) await isHeld(one, alice.address, false)
  await forgetReleased(service)
  expect(await kept(alice, bob, carol)).toEqual([])
  await alice.client.deleteDirectMessage({ id: (await alice.send(bob.address, 'later')).id })
  expect(await kept(alice, bob, carol)).toEqual([])
})

test('retention and erasing go on beside a hold, of a wallet and of a community; nothing is kept of others', async () => {
  const town = newName('Town')
  const [alice, bob, carol] = [await person(service), await person(service), await person(service)]
  const { act } = await newOperator(service)
  await carol.client.createCommunity({ body: { community: town } })
  await act('hold', alice.address)
  await act('hold', town.toUpperCase())
  await isHeld(service, town.toLowerCase())
  const chat = newWallet()
  await alice.send(bob.address, 'old and held')
  await bob.send(carol.address, 'old')
  await bob.post(town.toLowerCase(), 'old in town')
  await alice.post(chat, 'old post')
  await bob.post(chat, 'old post of bob')
  await new Promise((resolve) => setTimeout(resolve, 3))
  await expireBefore(service, Date.now())
  expect(await bob.client.listDirectMessages({ address: bob.address })).toEqual([])
  expect(await bob.client.listGroupMessages({ address: chat, useraddress: bob.address })).toEqual([])
  const expired = ['old and held', 'old in town', 'old post'].map((text) => `retention: ${text}`)
  expect(await kept(alice, bob, carol)).toEqual(expired)

  // Two that are not held erase what they have; then both sides of one that is held are erased.
  await bob.send(carol.address, 'nobody holds this')
  await alice.send(bob.address, 'erased by both')
  for (const { client, address } of [bob, carol, alice]) await client.eraseAccount({ address })
  expect(
    await service.ctx.db.query('select id from direct_messages where $1 in (fromaddr, toaddr)', [
      bob.address,
    ]),
  ).toEqual([])
  expect(await kept(alice, bob, carol)).toEqual([...expired, 'erasure: erased by both'])
  await expectNoFaults(service)

  // A message that is held in two ways is stored until both end.
  await act('release', town)
  await forgetReleased(service)
  expect(await kept(alice, bob, carol)).toEqual(
    [...expired, 'erasure: erased by both'].filter((text) => !text.includes('town')),
  )
})

test('deletions of both ends at once beside retention keep each message once', async () => {
  const [alice, bob] = [await person(service), await person(second)]
  const { act } = await newOperator(service)
  await act('hold', bob.address)
  for (const one of [service, second]) await isHeld(one, bob.address)
  const ids: number[] = []
  for (let n = 0; n < 30; n++) ids.push((await alice.send(bob.address, `message ${n}`)).id)
  await new Promise((resolve) => setTimeout(resolve, 3))
  await Promise.all([
    ...ids.slice(0, 10).map((id) => alice.client.deleteDirectMessage({ id }).catch(() => {})),
    ...ids.slice(5, 20).map((id) => bob.client.hideMessage({ id }).catch(() => {})),
    bob.client.hideConversation({ toaddr: alice.address }),
    alice.client.deleteConversation({ fromaddr: alice.address, toaddr: bob.address }),
    expireBefore(second, Date.now()),
  ])
  await expireBefore(service, Date.now())
  expect(await kept(alice, bob)).toHaveLength(30)
  await expectNoFaults(service)
})
