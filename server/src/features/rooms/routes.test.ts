import { expect, test } from 'vitest'
import { newName, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

/** A community with an owner and a member who has joined it. */
async function newTown() {
  const [owner, member] = [newWallet(), newWallet()]
  const [asOwner, asMember] = [await service.as(owner), await service.as(member)]
  const community = newName('town')
  await asOwner.createCommunity({ body: { community } })
  await asMember.joinChat({ body: { walletaddr: member, nftaddr: community } })
  return { community, owner, member, asOwner, asMember }
}

test('the owner creates rooms in an order; a member reads and posts in them as in a chat', async () => {
  const { community, asOwner, member, asMember } = await newTown()
  await asOwner.createRoom({
    community,
    body: { room: 'Tools', title: 'Tools and sheds', about: 'To lend.' },
  })
  await asOwner.createRoom({ community, body: { room: 'support', by_default: true } })
  const [first] = await asOwner.createRoom({ community, body: { room: 'plants' } })
  expect(first).toEqual({
    nftaddr: `${community}/plants`,
    title: 'plants',
    about: '',
    kind: 'text',
    by_default: false,
    joined: false,
  })
  const nftaddr = `${community}/tools`
  await asOwner.changeRoom({ nftaddr: `${community}/plants`, body: { position: 1, title: 'Plants' } })
  expect((await asMember.listRooms({ community })).map(({ title }) => title)).toEqual([
    'Plants',
    'Tools and sheds',
    'support',
  ])
  const body = { fromaddr: member, nftaddr: nftaddr.toUpperCase(), message: 'Who has a spade?' }
  const [post] = await asMember.postGroupMessage({ body })
  expect(post).toMatchObject({ nftaddr, context_type: 'community' })
  expect(
    (await asMember.listGroupMessages({ address: nftaddr, useraddress: member })).map(({ id }) => id),
  ).toEqual([post!.id])
  expect(await asMember.listGroupMessages({ address: community, useraddress: member })).toEqual([])
})

test('only the owner and the moderators decide about rooms, and only about rooms that exist', async () => {
  const { community, asOwner, member, asMember } = await newTown()
  await asOwner.createRoom({ community, body: { room: 'tools' } })
  const nftaddr = `${community}/tools`
  const forbidden = { code: 'forbidden' }
  await expect(asMember.createRoom({ community, body: { room: 'mine' } })).rejects.toMatchObject(forbidden)
  await expect(asMember.changeRoom({ nftaddr, body: { title: 'Mine' } })).rejects.toMatchObject(forbidden)
  await expect(asMember.deleteRoom({ nftaddr })).rejects.toMatchObject(forbidden)
  await asOwner.addModerator({ nftaddr, walletaddr: member })
  await asMember.changeRoom({ nftaddr, body: { title: 'Sheds' } })
  await expect(
    asMember.changeRoom({ nftaddr: `${community}/none`, body: { title: 'Mine' } }),
  ).rejects.toMatchObject({ code: 'not_found' })
  for (const room of ['too1s', 'TOOLS'])
    await expect(asOwner.createRoom({ community, body: { room } })).rejects.toMatchObject({
      code: 'conflict',
    })
  for (const room of ['a/b', 'a?', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', 'a'.repeat(65)])
    await expect(asOwner.createRoom({ community, body: { room } })).rejects.toMatchObject({
      code: 'bad_request',
    })
  await expect(
    asMember.postGroupMessage({ body: { fromaddr: member, nftaddr: `${community}/none`, message: 'gm' } }),
  ).rejects.toMatchObject({ code: 'not_found' })
  const log = await asOwner.listChatLog({ nftaddr: community })
  expect(log.map(({ action, room }) => [action, room])).toEqual([
    ['change_room', nftaddr],
    ['add_moderator', undefined],
    ['create_room', nftaddr],
  ])
})

test('in a room of news only the owner and moderators post, and everybody reacts; in one that is archived nobody posts', async () => {
  const { community, owner, asOwner, member, asMember } = await newTown()
  const [{ nftaddr } = { nftaddr: '' }] = await asOwner.createRoom({
    community,
    body: { room: 'news', kind: 'news' },
  })
  const [post] = await asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr, message: 'Rain.' } })
  await expect(
    asMember.postGroupMessage({ body: { fromaddr: member, nftaddr, message: 'Rain!' } }),
  ).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('room of news') })
  await asMember.react({ id: post!.id, body: { values: ['👍'] } })
  const [changed] = await asOwner.changeRoom({ nftaddr, body: { archived: true } })
  expect(changed!.archived_at).toBeDefined()
  await expect(
    asOwner.postGroupMessage({ body: { fromaddr: owner, nftaddr, message: 'Sun.' } }),
  ).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('archived') })
  expect(await asMember.listGroupMessages({ address: nftaddr, useraddress: member })).toHaveLength(1)
  await expect(asOwner.deleteRoom({ nftaddr })).rejects.toMatchObject({ code: 'conflict' })
  await asOwner.createRoom({ community, body: { room: 'typo' } })
  await asOwner.deleteRoom({ nftaddr: `${community}/typo` })
  expect((await asOwner.listRooms({ community })).map((room) => room.nftaddr)).toEqual([nftaddr])
})

test('a community has fifty rooms, also when they are created at once', async () => {
  const { community, asOwner } = await newTown()
  await service.ctx.db.query(
    `insert into rooms (bucket, chat, parent, title, about, position, kind, by_default, skeletons, created_ms)
     select k.bucket, k.chat || '/r' || n, k.chat, '', '', n, 'text', false, array['r' || n], 0
     from communities k, generate_series(1, 48) n where k.community = $1`,
    [community],
  )
  const made = await Promise.allSettled(
    ['apples', 'beans', 'carrots', 'dill'].map((room) => asOwner.createRoom({ community, body: { room } })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'limit_reached' },
  })
})
