import { chatTeam } from '@parley/sdk/contract/chat-team.ts'
import { chatModeration } from '@parley/sdk/contract/chat-moderation.ts'
import { gates } from '@parley/sdk/contract/gates.ts'
import { endpoints, feature } from '../../feature.ts'
import { gateHandlers } from './gate-routes.ts'
import { handlers } from './routes.ts'
import { teamHandlers } from './team-routes.ts'
import { tables } from './tables.ts'

export const chatModerationFeature = feature({
  endpoints: [
    endpoints('Chat moderation', chatModeration, handlers),
    endpoints('Chat moderation', chatTeam, teamHandlers),
    endpoints('Gates', gates, gateHandlers),
  ],
  tables,
})
