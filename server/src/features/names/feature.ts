import { names } from '@parley/sdk/contract/names.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const namesFeature = feature({
  endpoints: [endpoints('Names', names, handlers)],
  tables,
})
