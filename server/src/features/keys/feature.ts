import { keys } from '@parley/sdk/contract/keys.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const keysFeature = feature({
  endpoints: [endpoints('Keys', keys, handlers)],
  tables,
})
