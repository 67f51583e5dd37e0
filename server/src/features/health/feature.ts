import { health } from '@parley/sdk/contract/health.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const healthFeature = feature({
  endpoints: [endpoints('Health', health, handlers)],
})
