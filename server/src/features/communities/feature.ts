import { communities } from '@parley/sdk/contract/communities.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const communitiesFeature = feature({
  endpoints: [endpoints('Communities', communities, handlers)],
  tables,
})
