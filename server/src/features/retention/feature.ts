import { feature } from '../../feature.ts'
import { tasks } from './tasks.ts'

export const retentionFeature = feature({
  tasks,
  tables: {
    held_messages: {
      exported: 'under a legal hold alone',
      erased: 'when the hold ends',
      stays: 'a legal hold',
      ends: 'held',
      access: 'for the operator',
    },
  },
})
