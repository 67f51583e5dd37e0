import { directMessages } from '@parley/sdk/contract/direct-messages.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const directMessagesFeature = feature({
  endpoints: [endpoints('Direct messages', directMessages, handlers)],
  tables,
})
