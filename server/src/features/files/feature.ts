import { files } from '@parley/sdk/contract/files.ts'
import { endpoints, feature } from '../../feature.ts'
import { deleteOldDisks } from '../../files/disks.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'
import { tasks } from './tasks.ts'
import { watchStore } from './watch-store.ts'

export const filesFeature = feature({
  endpoints: [endpoints('Files', files, handlers)],
  tasks,
  loops: (ctx) => [watchStore(ctx)],
  chores: [deleteOldDisks],
  tables,
})
