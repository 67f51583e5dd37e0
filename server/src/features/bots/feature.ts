import { bots } from '@parley/sdk/contract/bots.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const botsFeature = feature({
  endpoints: [endpoints('Bots', bots, handlers)],
  tables,
})
