import { feature } from '../../feature.ts'
import { tables } from './tables.ts'
import { tasks } from './tasks.ts'

export const retentionFeature = feature({
  tasks,
  tables,
})
