import type { contract } from '@parley/sdk/contract/index.ts'
import { expect, test } from 'vitest'
import { asked, requestsAbout } from '../../../../testing/cases/gate-calls.ts'
import { newName, newToken, newWallet, useService } from '../../../../testing/service/service.ts'

const service = useService()

type Name = keyof typeof contract

/** These answer differently about a room, and why. */
const otherwise: Partial<Record<Name, string>> = {
  getCommunity: 'a room has no landing page',
  createCommunity: 'a room is no community',
  createRoom: 'a room has no rooms',
  setCommunityAbout: 'a room has words of its own',
  changeRoom: 'a community is no room',
  deleteRoom: 'a community is no room',
  createImage: 'a room has no picture',
  updateImage: 'a room has no picture',
  createProfilePicture: 'a room has no picture',
  deleteImage: 'a room has no picture',
  setChatRules: 'the community decides how long a room keeps its messages',
}

test.each(asked)('%s answers about a room as about a community', async (name: Name) => {
  const owner = newWallet()
  const client = await service.as(owner)
  const [community, room] = [newName('town'), 'tools']
  const chats = [community, `${community}/${room}`]
  await client.createCommunity({ body: { community } })
  await client.createRoom({ community, body: { room } })
  for (const nftaddr of chats) await client.joinChat({ body: { walletaddr: owner, nftaddr } })
  const headers = { authorization: `Bearer ${await newToken(service.ctx, owner)}` }
  const statusesOf = async (chat: string) => {
    const statuses: number[] = []
    for (const request of requestsAbout(name, chat, owner))
      statuses.push((await service.app.inject({ ...request, headers })).statusCode)
    return statuses
  }
  const [ofCommunity, ofRoom] = [await statusesOf(community), await statusesOf(chats[1]!)]
  expect(ofRoom.filter((status) => status >= 500 && status !== 503)).toEqual([])
  if (name in otherwise) expect(ofRoom).not.toEqual(ofCommunity)
  else expect(ofRoom).toEqual(ofCommunity)
})
