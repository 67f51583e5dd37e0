import { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const groupChatsFeature = feature({
  endpoints: [endpoints('Group chats', groupChats, handlers)],
  tables,
})
