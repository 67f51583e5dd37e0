import { inbox } from '@parley/sdk/contract/inbox.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const inboxFeature = feature({
  endpoints: [endpoints('Inbox', inbox, handlers)],
})
