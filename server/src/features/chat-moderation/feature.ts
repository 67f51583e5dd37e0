import { chatModeration } from '@parley/sdk/contract/chat-moderation.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const chatModerationFeature = feature({
  endpoints: [endpoints('Chat moderation', chatModeration, handlers)],
  tables,
})
