import { status } from '@parley/sdk/contract/status.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const statusFeature = feature({
  endpoints: [endpoints('Health', status, handlers)],
})
