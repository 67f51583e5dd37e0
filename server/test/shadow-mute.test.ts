// What a wallet that is muted unseen writes nobody sees, and by what it can read with its own wallet it cannot tell.

import { expect, test } from 'vitest'
import { newCommunity } from '../../testing/people/chat-members.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { token } from '../../testing/people/reading.ts'
import { newWallet, useService } from '../../testing/service/service.ts'
import { check } from '../src/check/check.ts'

const service = useService()

async function operatorOf() {
  const operator = newWallet()
  await addOperator(service, operator)
  return service.as(operator)
}

async function mutedUnseen(address: string) {
  await (await operatorOf()).act({ body: { action: 'shadow_mute', subject: address, reason: 'a test' } })
}

const findFaults = async () => {
  const found: string[] = []
  await check({
    databaseUrl: service.databaseUrl,
    onFault: ({ row, wrong }) => found.push(`${row}: ${wrong.join('; ')}`),
  })
  return found
}

test('its comments are seen and counted by it alone, and go with it', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const comment = (fromaddr: string, message: string, as = asAlice) =>
    as.createComment({ body: { fromaddr, message, ...token } })
  const seenBy = async (client: typeof asAlice) => ({
    texts: (await client.listComments(token)).map(({ message }) => message),
    last: (await client.listComments({ ...token, query: { limit: 1, before: Number.MAX_SAFE_INTEGER } }))
      .length,
    count: await client.countComments(token),
  })
  await comment(alice, 'before')
  await mutedUnseen(alice)
  await comment(alice, 'unseen')
  await comment(bob, 'seen', asBob)
  expect(await seenBy(asAlice)).toEqual({ texts: ['before', 'unseen', 'seen'], last: 1, count: 3 })
  expect(await seenBy(asBob)).toEqual({ texts: ['before', 'seen'], last: 1, count: 2 })
  expect(await findFaults()).toEqual([])
  await asAlice.deleteComments({ fromaddr: alice, ...token })
  for (const client of [asAlice, asBob])
    expect(await seenBy(client)).toEqual({ texts: ['seen'], last: 1, count: 1 })
  await comment(alice, 'again')
  await asAlice.eraseAccount({ address: alice })
  expect(await seenBy(asBob)).toEqual({ texts: ['seen'], last: 1, count: 1 })
  expect(await findFaults()).toEqual([])
})

test('the directory and the public counts of others are to it as if it were not muted', async () => {
  for (const isMuted of [false, true]) {
    const town = `town-${isMuted}`
    const [owner, alice, bob] = await newCommunity(service, town)
    await owner.post('one')
    await bob.read()
    if (isMuted) await mutedUnseen(alice.address)
    const unreadOfBob = async () => [
      await alice.client.countUnreadOfChat({ address: town, useraddress: bob.address }),
      await service.anonymous.countUnreadOfChat({ address: town, useraddress: bob.address }),
    ]
    const timeFor = async ({ client }: typeof alice) =>
      (await client.listCommunities({ query: { prefix: town } }))[0]!.timestamp
    expect(await unreadOfBob()).toEqual([0, 0])
    const before = await timeFor(bob)
    const own = await alice.post('two')
    expect(await timeFor(alice)).toBe(own.timestamp)
    expect(await timeFor(bob)).toBe(isMuted ? before : own.timestamp)
    expect(await unreadOfBob()).toEqual([1, 1])
    await alice.remove(own.id)
    expect(await unreadOfBob()).toEqual([1, 1])
    expect(await bob.unread()).toBe(isMuted ? 0 : 1)
    await owner.post('three')
    await bob.read()
    expect(await unreadOfBob()).toEqual([0, 0])
  }
})

test('the words of a bot that is muted unseen are shown to it alone, and a muted one sets none', async () => {
  const [owner, alice, bob] = await newCommunity(service, 'town')
  await alice.client.becomeBot()
  await mutedUnseen(alice.address)
  const at = { nftaddr: 'town' }
  const body = { commands: [{ word: 'news', description: 'a text that others would read' }] }
  expect(await alice.client.setCommands({ ...at, body })).toHaveLength(1)
  expect(await alice.client.listCommands(at)).toHaveLength(1)
  for (const { client } of [owner, bob]) expect(await client.listCommands(at)).toEqual([])
  await (await operatorOf()).act({ body: { action: 'mute', subject: bob.address, reason: 'a test' } })
  await bob.client.becomeBot()
  await expect(bob.client.setCommands({ ...at, body })).rejects.toMatchObject({ code: 'sanctioned' })
})
