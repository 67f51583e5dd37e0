import { apiKeys } from '@parley/sdk/contract/api-keys.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const apiKeysFeature = feature({
  endpoints: [endpoints('API keys', apiKeys, handlers)],
  tables,
})
