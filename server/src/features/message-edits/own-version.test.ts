// What only its author sees of an edit: the author is muted unseen, or blocked by the other wallet, and must not notice it.

import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { friends } from '../../../../testing/people/friends.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()
const conflict = { status: 409, code: 'conflict' }

const rowOf = async (table: 'direct_messages' | 'group_messages', id: number) =>
  (
    await service.ctx.db.query<{ row: string }>(
      `select m::text as row from ${table} m where bucket = $1 and id = $2`,
      [id % 64, id],
    )
  )[0]!.row

async function muteUnseen(wallet: string): Promise<void> {
  const operator = newWallet()
  await addOperator(service, operator)
  await (
    await service.as(operator)
  ).act({ body: { action: 'shadow_mute', subject: wallet, reason: 'a test' } })
}

test('who has blocked the other one does not edit; where the other has blocked the author, only the author sees it', async () => {
  const t = await friends(service)
  await t.asAlice.setContact({ peer: t.bob, body: { blocked: true } })
  await expect(t.edit('x')).rejects.toMatchObject(conflict)
  await t.asAlice.setContact({ peer: t.bob, body: { blocked: false } })
  await t.edit('seen by both')
  await t.asBob.setContact({ peer: t.alice, body: { blocked: true } })
  await using atBob = await listenTo(service, t.bob)
  const own = await t.edit('seen by alice', 1)
  await t.edit('seen by alice too', 2)
  expect(own).toMatchObject({ message: 'seen by alice', revision: 2 })
  expect(await t.seenBy(t.asAlice)).toMatchObject({ message: 'seen by alice too', revision: 3 })
  expect(await t.seenBy(t.asBob)).toMatchObject({ message: 'seen by both', revision: 1 })
  expect(await t.asBob.listEdits({ id: t.one.id })).toMatchObject([{ revision: 0, message: 'one' }])
  expect(await t.asAlice.listEdits({ id: t.one.id })).toMatchObject([
    { revision: 0, message: 'one' },
    { revision: 1, message: 'seen by both' },
    { revision: 2, message: 'seen by alice' },
  ])
  await t.asBob.setContact({ peer: t.alice, body: { blocked: false } })
  await t.edit('seen by both again', 3)
  for (const client of [t.asAlice, t.asBob])
    expect(await t.seenBy(client)).toMatchObject({ message: 'seen by both again', revision: 4 })
  expect(await t.asBob.listEdits({ id: t.one.id })).toMatchObject([
    { revision: 0, message: 'one' },
    { revision: 1, message: 'seen by both' },
  ])
  await atBob.receives(1)
  expect(JSON.stringify(atBob.events())).not.toContain('seen by alice')
})

test.each([
  ['hides the message', (t) => t.asAlice.hideMessage({ id: t.one.id })],
  ['hides the conversation', (t) => t.asAlice.hideConversation({ toaddr: t.bob })],
  ['erases the account', (t) => t.asAlice.eraseAccount({ address: t.alice })],
] as [string, (t: Awaited<ReturnType<typeof friends>>) => Promise<unknown>][])(
  'what only the author saw goes when the author %s; the other end reads on what it has seen',
  async (_, leave) => {
    const t = await friends(service)
    await t.edit('seen by both')
    await t.asBob.setContact({ peer: t.alice, body: { blocked: true } })
    await t.edit('seen by alice', 1)
    await t.asBob.setContact({ peer: t.alice, body: { blocked: false } })
    await t.edit('seen by both again', 2)
    await t.asBob.setContact({ peer: t.alice, body: { blocked: true } })
    await t.edit('seen by alice too', 3)
    expect(await rowOf('direct_messages', t.one.id)).toContain('seen by alice')
    await leave(t)
    expect(await rowOf('direct_messages', t.one.id)).not.toContain('seen by alice')
    expect(await t.seenBy(t.asBob)).toMatchObject({ message: 'seen by both again', revision: 3 })
    expect((await t.asBob.listEdits({ id: t.one.id })).map(({ message }) => message)).toEqual([
      'one',
      'seen by both',
    ])
  },
)

test('what only the author saw of a post goes when the account is erased', async () => {
  const [owner, member] = await newCommunity(service, newName('town'))
  const post = await member.post('hello')
  await muteUnseen(member.address)
  await member.client.editMessage({ id: post.id, body: { message: 'seen by its author', revision: 0 } })
  expect(await rowOf('group_messages', post.id)).toContain('seen by its author')
  await member.client.eraseAccount({ address: member.address })
  expect(await rowOf('group_messages', post.id)).not.toContain('seen by its author')
  expect(await owner.read()).toMatchObject([{ id: post.id, message: 'hello' }])
})

async function exportOf(client: Awaited<ReturnType<typeof service.as>>, address: string) {
  const zip = Buffer.from(await new Response(await client.exportAccount({ address })).arrayBuffer())
  const files = await unzip(zip)
  return ['direct-messages.jsonl', 'group-messages.jsonl'].flatMap((name) =>
    String(files.get(name))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  )
}

/** Edits a message and a post, and returns all that the author can see of it. */
async function play(wallet: string, begin: () => Promise<void>) {
  const me = await service.as(wallet)
  const friend = newWallet()
  const asFriend = await service.as(friend)
  const town = newName('town')
  await asFriend.createCommunity({ body: { community: town } })
  await me.joinChat({ body: { walletaddr: wallet, nftaddr: town } })
  const [sent] = await me.sendDirectMessage({ body: { fromaddr: wallet, toaddr: friend, message: 'one' } })
  await asFriend.sendDirectMessage({ body: { fromaddr: friend, toaddr: wallet, message: 'two' } })
  const [post] = await me.postGroupMessage({ body: { fromaddr: wallet, nftaddr: town, message: 'one' } })
  for (const { id } of [sent!, post!]) await me.editMessage({ id, body: { message: 'shown', revision: 0 } })
  await begin()
  await using own = await listenTo(service, wallet)
  const steps: unknown[] = []
  for (const { id } of [sent!, post!])
    for (const [message, revision] of [
      ['a', 1],
      ['b', 1],
      ['b', 2],
      ['c', 3],
      ['c', 3],
    ] as const) {
      const before = own.received.length
      const [item] = await me
        .editMessage({ id, body: { message, revision } })
        .catch((error: { status: number; current: unknown }) => [[error.status, error.current]])
      steps.push(item)
      // An event has the message as it is when it is delivered.
      if (!Array.isArray(item)) await own.receives(before + 1)
    }
  await me.sendDirectMessage({ body: { fromaddr: wallet, toaddr: wallet, message: 'the end' } })
  await expect.poll(() => own.messages()).toContain('the end')
  await using later = await listenTo(service, wallet, { lastEventId: String(sent!.id - 1) })
  await expect.poll(() => later.messages()).toContain('the end')
  const pair = { fromaddr: wallet, toaddr: friend }
  const ids = [sent!, post!].map(({ id }) => id)
  const seen = {
    steps,
    events: own.events(),
    missed: later.events(),
    messages: await me.listConversation({ ...pair, query: {} }),
    all: await me.listDirectMessages({ address: wallet, query: {} }),
    posts: await me.listGroupMessages({ address: town, useraddress: wallet }),
    page: (await me.getCommunity({ community: town, address: wallet }))[0]!.messages,
    inbox: await me.getInbox({ address: wallet }),
    edits: await Promise.all(ids.map((id) => me.listEdits({ id }))),
    exported: await exportOf(me, wallet),
  }
  const text = JSON.stringify(seen)
    .replaceAll(wallet, 'me')
    .replaceAll(/"0x[0-9a-f]{40}"/g, '"other"')
    .replaceAll(/"(id|timestamp|timestamp_dtm|edited_at|ms)":("[^"]*"|\d+)/g, '"$1":0')
    .replaceAll(town, 'town')
  const others = {
    messages: await asFriend.listConversation({ ...pair, query: {} }),
    posts: await asFriend.listGroupMessages({ address: town, useraddress: friend }),
    edits: await Promise.all(ids.map((id) => asFriend.listEdits({ id }))),
  }
  return { seen: JSON.parse(text) as unknown, others }
}

test('a wallet whose edits nobody else sees gets the answers, lists and events that every other one gets', async () => {
  const [muted, other] = [newWallet(), newWallet()]
  const ofOther = await play(other, async () => {})
  const ofMuted = await play(muted, () => muteUnseen(muted))
  expect(ofMuted.seen).toEqual(ofOther.seen)
  expect(ofOther.others).toMatchObject({
    messages: [{ message: 'c', revision: 4 }, {}],
    posts: [{ message: 'c' }],
  })
  expect(ofMuted.others).toMatchObject({
    messages: [{ message: 'shown', revision: 1 }, {}],
    posts: [{ message: 'shown', revision: 1 }],
    edits: [[{ message: 'one' }], [{ message: 'one' }]],
  })
})

/** Edits as a bot does while it makes its text, and returns what the bot sees of it. */
async function write(begin: (wallet: string) => Promise<void>) {
  const t = await friends(service)
  await t.asAlice.becomeBot()
  const edit = (message: string, revision: number, writing: boolean) => t.edit(message, revision, { writing })
  await edit('a', 0, true)
  await begin(t.alice)
  await edit('b', 0, true)
  const early = await t.asAlice.listEdits({ id: t.one.id })
  await edit('c', 0, false)
  await edit('d', 1, true)
  const shown = await t.seenBy(t.asAlice)
  const versions = [...early, ...(await t.asAlice.listEdits({ id: t.one.id }))]
  return {
    ...t,
    own: { early, shown: [shown.message, shown.revision], texts: versions.map(({ message }) => message) },
  }
}

test('a bot whose edits nobody else sees gets the versions that every other one gets, also afterwards', async () => {
  const [ofOther, ofMuted] = [await write(async () => {}), await write(muteUnseen)]
  expect(ofMuted.own).toEqual(ofOther.own)
  expect(await ofMuted.seenBy(ofMuted.asBob)).not.toHaveProperty('revision')
  expect(await ofMuted.seenBy(ofMuted.asBob)).toMatchObject({ message: 'a' })
  const operator = newWallet()
  await addOperator(service, operator)
  await (
    await service.as(operator)
  ).act({ body: { action: 'shadow_lift', subject: ofMuted.alice, reason: 'a test' } })
  for (const t of [ofOther, ofMuted]) await t.edit('seen by both', 1)
  for (const t of [ofOther, ofMuted])
    expect((await t.asAlice.listEdits({ id: t.one.id })).map(({ message }) => message)).toEqual(['b', 'd'])
  expect(await ofMuted.asBob.listEdits({ id: ofMuted.one.id })).toMatchObject([{ revision: 0, message: 'a' }])
})
