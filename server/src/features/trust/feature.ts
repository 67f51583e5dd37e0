import { trust } from '@parley/sdk/contract/trust.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { deleteOldErasures, deleteOldFacts } from './store.ts'
import { tables } from './tables.ts'
import { tasks } from './tasks.ts'

export const trustFeature = feature({
  endpoints: [endpoints('Trust', trust, handlers)],
  tasks,
  chores: [deleteOldFacts, deleteOldErasures],
  tables,
})
