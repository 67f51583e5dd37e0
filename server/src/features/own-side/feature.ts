import { ownSide } from '@parley/sdk/contract/own-side.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const ownSideFeature = feature({
  endpoints: [endpoints('Direct messages', ownSide, handlers)],
})
