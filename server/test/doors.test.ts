// What closes and opens a chat is decided in several features: each knows what the others have decided.

import { expect, test } from 'vitest'
import { newName, newWallet, useService } from '../../testing/service/service.ts'

const service = useService({ publicPagesNotice: 0 })

async function newTown() {
  const [town, owner, stranger, guest] = [newName('town'), newWallet(), newWallet(), newWallet()]
  const asOwner = await service.as(owner)
  await asOwner.createCommunity({ body: { community: town } })
  await asOwner.joinChat({ body: { walletaddr: owner, nftaddr: town } })
  await asOwner.postCommunityMessage({ body: { fromaddr: owner, nftaddr: town, message: 'gm' } })
  const entryFor = async (wallet: string) =>
    (await (await service.as(wallet)).listCommunities({ query: { prefix: town } }))[0]
  return { town, owner, asOwner, stranger, guest, entryFor }
}

test('the directory says what it takes to get in, and hides from others when a closed community was active', async () => {
  const { town, asOwner, owner, stranger, guest, entryFor } = await newTown()
  expect((await entryFor(stranger))!.timestamp).not.toBe('')
  await asOwner.setGate({ nftaddr: town, body: { read: { wallets: [guest, newWallet()] } } })
  expect(await entryFor(stranger)).toMatchObject({ to_read: 'to be one of 2 wallets', timestamp: '' })
  for (const wallet of [owner, guest]) {
    await (await service.as(wallet)).listGroupMessages({ address: town, useraddress: wallet })
    expect((await entryFor(wallet))!.timestamp, wallet).not.toBe('')
  }
  await asOwner.setGate({ nftaddr: town, body: { post: { wallets: [guest] } } })
  const open = await entryFor(stranger)
  expect(open).toMatchObject({ to_post: 'to be the listed wallet' })
  expect(open!.timestamp).not.toBe('')
  expect(open).not.toHaveProperty('to_read')
})

test('a rule for reading and a public page exclude each other, whichever comes first', async () => {
  const { town, asOwner, stranger, guest, entryFor } = await newTown()
  const read = { read: { wallets: [guest] } }
  await asOwner.setGate({ nftaddr: town, body: read })
  const opened = { nftaddr: town, body: { is_open: true } }
  await expect(asOwner.setPublicReading(opened)).rejects.toMatchObject({ status: 409 })
  await asOwner.removeGate({ nftaddr: town })
  await asOwner.setPublicReading(opened)
  expect(await entryFor(stranger)).toMatchObject({ is_public: true })
  // Before the notice to members has passed nobody reads it without signing in.
  const notice = 'update public_chats set from_ms = from_ms + $2 where chat = $1'
  await service.ctx.db.query(notice, [town, 60_000])
  expect(await entryFor(stranger)).not.toHaveProperty('is_public')
  await service.ctx.db.query(notice, [town, -60_000])
  await expect(asOwner.setGate({ nftaddr: town, body: read })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('End its public page first'),
  })
  // Who posts may have a rule.
  await asOwner.setGate({ nftaddr: town, body: { post: { wallets: [guest] } } })
  await asOwner.setPublicReading({ nftaddr: town, body: { is_open: false } })
  await asOwner.setGate({ nftaddr: town, body: read })
  expect(await entryFor(stranger)).not.toHaveProperty('is_public')
})

test('a room does not inherit the rule of a deleted room of its name', async () => {
  const { town, asOwner, stranger } = await newTown()
  const nftaddr = `${town}/cellar`
  const asStranger = await service.as(stranger)
  const list = () => asStranger.listGroupMessages({ address: nftaddr, useraddress: stranger })
  await asOwner.createRoom({ community: town, body: { room: 'cellar' } })
  await asOwner.setGate({ nftaddr, body: { read: { wallets: [newWallet()] } } })
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
  await asOwner.deleteRoom({ nftaddr })
  await asOwner.createRoom({ community: town, body: { room: 'cellar' } })
  await expect.poll(list).toEqual([])
})
