import { incomingHooks } from '@parley/sdk/contract/incoming-hooks.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const incomingHooksFeature = feature({
  endpoints: [endpoints('Bots', incomingHooks, handlers)],
  tables,
})
