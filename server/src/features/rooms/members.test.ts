import { expect, test } from 'vitest'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

/** A community with a room that members join, one that they do not, and a wallet that has joined it. */
async function newTown() {
  const [owner, member] = [newWallet(), newWallet()]
  const [asOwner, asMember] = [await service.as(owner), await service.as(member)]
  const community = newName('town')
  const [tools, chess, later] = ['tools', 'chess', 'later'].map((room) => `${community}/${room}`)
  await asOwner.createCommunity({ body: { community } })
  await asOwner.createRoom({ community, body: { room: 'tools', by_default: true } })
  await asOwner.createRoom({ community, body: { room: 'chess' } })
  await asMember.joinChat({ body: { walletaddr: member, nftaddr: community } })
  const post = (nftaddr: string, message: string) =>
    asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr, message } })
  const joined = async () => (await asMember.listBookmarks({ address: member })).map(({ nftaddr }) => nftaddr)
  return {
    community,
    tools: tools!,
    chess: chess!,
    later: later!,
    owner,
    member,
    asOwner,
    asMember,
    post,
    joined,
  }
}

test('joining a community joins its rooms for all; one that is left stays left, and leaving the community leaves all', async () => {
  const { community, tools, chess, later, member, asOwner, asMember, joined } = await newTown()
  const leave = (nftaddr: string) => asMember.leaveChat({ body: { walletaddr: member, nftaddr } })
  const join = (nftaddr: string) => asMember.joinChat({ body: { walletaddr: member, nftaddr } })
  expect(await joined()).toEqual([community, tools])
  await join(chess)
  await leave(tools)
  await asOwner.createRoom({ community, body: { room: 'later', by_default: true } })
  const due = async () => (await asMember.listRooms({ community })).filter((room) => room.due)
  expect((await due()).map(({ nftaddr }) => nftaddr)).toEqual([later])
  await asMember.joinRooms({ community })
  expect(await due()).toEqual([])
  expect(await joined()).toEqual([community, chess, later])
  await leave(community)
  expect(await joined()).toEqual([])
  await expect(asMember.joinRooms({ community })).rejects.toMatchObject({ code: 'forbidden' })
  await join(community)
  expect(await joined()).toEqual([community, tools, later])
  const members = await asOwner.listMembers({ nftaddr: tools })
  expect(members.map(({ walletaddr }) => walletaddr)).toEqual([member])
})

test('each room has its own unread posts; muting the community mutes its rooms, but one of which you say otherwise', async () => {
  const { community, tools, chess, member, asMember, post } = await newTown()
  await asMember.joinChat({ body: { walletaddr: member, nftaddr: chess } })
  await post(tools, 'A spade is free.')
  await post(tools, 'And a rake.')
  await post(chess, 'Tonight at eight.')
  const rows = await asMember.getInbox({ address: member, query: { view: 'main' } })
  expect(Object.fromEntries(rows.map(({ nftaddr, unread }) => [nftaddr, unread]))).toEqual({
    [community]: 0,
    [tools]: 2,
    [chess]: 1,
  })
  const main = () => asMember.countUnread({ address: member, query: { view: 'main' } })
  const mute = (nftaddr: string, muted_until: string | null) =>
    asMember.muteChat({ nftaddr, body: { muted_until } })
  expect(await main()).toBe(3)
  await mute(community, 'forever')
  expect(await main()).toBe(0)
  await mute(chess, null)
  expect(await main()).toBe(1)
  await mute(community, null)
  expect(await main()).toBe(3)
})

test('who is banned or muted in a community is so in its rooms; a takedown and closing hold there too', async () => {
  const { community, tools, member, asOwner, asMember, post } = await newTown()
  const read = () => asMember.listGroupMessages({ address: tools, useraddress: member })
  const say = () => asMember.postGroupMessage({ body: { fromaddr: member, nftaddr: tools, message: 'gm' } })
  const restrict = (nftaddr: string, body: object) =>
    asOwner.restrictMember({ nftaddr, walletaddr: member, body })
  await post(tools, 'gm')
  await restrict(tools, { muted_until: 'forever' })
  await expect(say()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('muted') })
  await restrict(community, { banned_until: 'forever' })
  await expect(read()).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('banned'),
  })
  expect(await asMember.countUnread({ address: member })).toBe(0)
  await restrict(community, {})
  expect(await read()).toHaveLength(1)
  const operator = newWallet()
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  const act = (action: 'close_chat' | 'takedown_community') =>
    asOperator.act({ body: { action, subject: community, reason: 'a test' } })
  await act('close_chat')
  await expect(say()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('closed') })
  await act('takedown_community')
  await expect(read()).rejects.toMatchObject({ code: 'forbidden' })
})

test('the words of a community wait in its rooms, which have a slow mode of their own; moderators decide, and the log names the room', async () => {
  const { community, tools, member, asOwner, asMember } = await newTown()
  const say = (message: string) =>
    asMember.postGroupMessage({ body: { fromaddr: member, nftaddr: tools, message } })
  await asOwner.setChatRules({ nftaddr: community, body: { words: ['airdrop'], slow_seconds: 600 } })
  expect(await asMember.getChatRules({ nftaddr: tools })).toMatchObject({ slow_seconds: 600 })
  await asOwner.setChatRules({ nftaddr: tools, body: { slow_seconds: 0, words: ['spam'] } })
  const [held] = await say('an airdrop')
  await say('gm')
  await say('spam')
  const waiting = await asOwner.listHeldPosts({ nftaddr: tools })
  expect(waiting.map(({ message }) => message)).toEqual(['an airdrop', 'spam'])
  await asOwner.decideHeldPost({ nftaddr: tools, id: held!.id, body: { approve: false } })
  const [entry] = await asOwner.listChatLog({ nftaddr: tools })
  expect(entry).toMatchObject({ action: 'reject_post', room: tools })
  await expect(asOwner.setChatRules({ nftaddr: tools, body: { retention_days: 3 } })).rejects.toMatchObject({
    code: 'bad_request',
  })
  await expect(
    asOwner.setChatRules({ nftaddr: `${community}/none`, body: { slow_seconds: 3 } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})
