import { reactions } from '@parley/sdk/contract/reactions.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const reactionsFeature = feature({
  endpoints: [endpoints('Reactions and pins', reactions, handlers)],
  tables,
})
