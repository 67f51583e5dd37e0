import { settings } from '@parley/sdk/contract/settings.ts'
import { endpoints, feature } from '../../feature.ts'
import { serveConfirmation } from './pages.ts'
import { deleteExpiredQuotas } from './quotas.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const settingsFeature = feature({
  endpoints: [endpoints('Settings', settings, handlers)],
  pages: serveConfirmation,
  chores: [deleteExpiredQuotas],
  tables,
})
