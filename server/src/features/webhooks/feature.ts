import { webhooks } from '@parley/sdk/contract/webhooks.ts'
import { endpoints, feature } from '../../feature.ts'
import { answerTasks } from './answer.ts'
import { deleteOldOfWebhooks, resumeDeliveries, webhookTasks } from './deliver.ts'
import { webhookReader } from './reader.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const webhooksFeature = feature({
  endpoints: [endpoints('Webhooks', webhooks, handlers)],
  tasks: { ...webhookTasks, ...answerTasks },
  readers: (ctx) => [webhookReader(ctx)],
  chores: [deleteOldOfWebhooks, resumeDeliveries],
  tables,
})
