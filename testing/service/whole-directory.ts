// Uses everything of the directory of communities, for whole-service.ts.

import { enqueue } from '../../server/src/jobs/queue.ts'
import type { Service } from './service.ts'

interface Person {
  address: string
  client: Awaited<ReturnType<Service['as']>>
}

export async function useDirectory({ ctx }: Service, { client }: Person): Promise<void> {
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
}
