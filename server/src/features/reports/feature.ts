import { reports } from '@parley/sdk/contract/reports.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { deleteOldReports } from './store.ts'
import { tables } from './tables.ts'

export const reportsFeature = feature({
  endpoints: [endpoints('Moderation', reports, handlers)],
  chores: [deleteOldReports],
  tables,
})
