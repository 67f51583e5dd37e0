import { drafts } from '@parley/sdk/contract/drafts.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { deleteOldDrafts } from './store.ts'
import { tables } from './tables.ts'

export const draftsFeature = feature({
  endpoints: [endpoints('Drafts', drafts, handlers)],
  chores: [deleteOldDrafts],
  tables,
})
