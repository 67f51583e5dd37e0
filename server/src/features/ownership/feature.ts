import { ownership } from '@parley/sdk/contract/ownership.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const ownershipFeature = feature({
  endpoints: [endpoints('Ownership', ownership, handlers)],
})
