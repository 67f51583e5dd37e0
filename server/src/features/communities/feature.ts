import { communities } from '@parley/sdk/contract/communities.ts'
import { directory } from '@parley/sdk/contract/directory.ts'
import { endpoints, feature } from '../../feature.ts'
import { countCommunities } from './count.ts'
import { directoryHandlers } from './directory-routes.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const communitiesFeature = feature({
  endpoints: [
    endpoints('Communities', communities, handlers),
    endpoints('Communities', directory, directoryHandlers),
  ],
  tasks: { 'count-communities': (ctx, _payload, { signal }) => countCommunities(ctx, signal) },
  tables,
})
