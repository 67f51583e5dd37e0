import { service } from '@parley/sdk/contract/service.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const serviceFeature = feature({
  endpoints: [endpoints('Service', service, handlers)],
})
