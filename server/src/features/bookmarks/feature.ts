import { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const bookmarksFeature = feature({
  endpoints: [endpoints('Bookmarks', bookmarks, handlers)],
  tables,
})
