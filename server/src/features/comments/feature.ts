import { comments } from '@parley/sdk/contract/comments.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { deleteEmptyThreads } from './store.ts'
import { tables } from './tables.ts'

export const commentsFeature = feature({
  endpoints: [endpoints('Comments', comments, handlers)],
  chores: [deleteEmptyThreads],
  tables,
})
