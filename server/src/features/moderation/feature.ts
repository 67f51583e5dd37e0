import { moderation } from '@parley/sdk/contract/moderation.ts'
import { reportQueue } from '@parley/sdk/contract/report-queue.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers, queueHandlers } from './routes.ts'
import { tables } from './tables.ts'

export const moderationFeature = feature({
  endpoints: [
    endpoints('Moderation', moderation, handlers),
    endpoints('Moderation', reportQueue, queueHandlers),
  ],
  tables,
})
