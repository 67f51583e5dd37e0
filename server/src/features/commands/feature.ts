import { commands } from '@parley/sdk/contract/commands.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const commandsFeature = feature({
  endpoints: [endpoints('Group chats', commands, handlers)],
  tables,
})
