import { messageEdits } from '@parley/sdk/contract/message-edits.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const messageEditsFeature = feature({
  endpoints: [endpoints('Edits of messages', messageEdits, handlers)],
})
