import { events } from '@parley/sdk/contract/events.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const eventsFeature = feature({
  endpoints: [endpoints('Live events', events, handlers)],
})
