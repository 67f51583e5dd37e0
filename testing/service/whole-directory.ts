// Uses everything of the directory of communities, their rooms, gates and public pages, for whole-service.ts.

import { enqueue } from '../../server/src/jobs/queue.ts'
import { chatBucket } from '../../server/src/values/bucket.ts'
import type { Service } from './service.ts'

interface Person {
  address: string
  client: Awaited<ReturnType<Service['as']>>
}

export async function useDirectory(service: Service, person: Person): Promise<void> {
  const [{ ctx }, { client }] = [service, person]
  await client.createCommunity({ body: { community: 'Gardens' } })
  for (const about of ['We grow vegetables.', 'We grow flowers.'])
    await client.setCommunityAbout({ community: 'Gardens', body: { about, tags: ['roof'], listed: true } })
  for (const query of [
    {},
    { after: 'Town' },
    { prefix: 'to' },
    { sort: 'new', after: 'Town' },
    { tag: 'roof' },
  ] as const)
    await client.listCommunities({ query })
  for (const task of ['count-communities', 'send-daily-summaries'] as const) await enqueue(ctx.db, task, {})
  await useRooms(service, person)
}

/** Uses rooms of a community, its rules of who reads and posts, and its public page. */
async function useRooms({ app, ctx }: Service, { address, client }: Person): Promise<void> {
  const community = 'Gardens'
  const nftaddr = `${community}/Tools`
  await client.joinChat({ body: { walletaddr: address, nftaddr: community } })
  await client.createRoom({ community, body: { room: 'tools', by_default: true } })
  await client.joinRooms({ community })
  await client.changeRoom({ nftaddr, body: { title: 'Tools', position: 1 } })
  await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message: 'A spade' } })
  const rules = { read: { wallets: [address] }, post: { not: { wallets: [address] } } }
  for (const chat of [community, nftaddr]) {
    await client.tryGate({ nftaddr: chat, body: rules })
    await client.setGate({ nftaddr: chat, body: rules })
    await client.getGate({ nftaddr: chat })
    await client.getGateStanding({ nftaddr: chat })
    await client.removeGate({ nftaddr: chat })
    await client.setPublicReading({ nftaddr: chat, body: { is_open: true } })
    await client.getPublicReading({ nftaddr: chat })
  }
  await ctx.db.query('update public_chats set from_ms = 0 where bucket = $1', [chatBucket('gardens')])
  await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message: 'A rake' } })
  for (const page of ['/c/Gardens', '/c/Gardens/tools', '/c/Gardens/tools/feed.json']) await app.inject(page)
  await client.setPublicReading({ nftaddr: community, body: { is_open: false } })
  await client.createRoom({ community, body: { room: 'empty' } })
  await client.deleteRoom({ nftaddr: `${community}/empty` })
}
