import { readState } from '@parley/sdk/contract/read-state.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const readStateFeature = feature({
  endpoints: [endpoints('Inbox', readState, handlers)],
})
