import { blockedFiles } from '@parley/sdk/contract/blocked-files.ts'
import { moderation } from '@parley/sdk/contract/moderation.ts'
import { reportQueue } from '@parley/sdk/contract/report-queue.ts'
import { endpoints, feature } from '../../feature.ts'
import { blockedFileHandlers, tasks } from './blocked-files.ts'
import { handlers, queueHandlers } from './routes.ts'
import { tables } from './tables.ts'

export const moderationFeature = feature({
  endpoints: [
    endpoints('Moderation', moderation, handlers),
    endpoints('Moderation', reportQueue, queueHandlers),
    endpoints('Moderation', blockedFiles, blockedFileHandlers),
  ],
  tasks,
  tables,
})
