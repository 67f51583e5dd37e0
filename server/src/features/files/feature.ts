import { files } from '@parley/sdk/contract/files.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'
import { tasks } from './tasks.ts'

export const filesFeature = feature({
  endpoints: [endpoints('Files', files, handlers)],
  tasks,
  tables,
})
