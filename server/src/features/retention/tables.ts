import type { Tables } from '../../feature.ts'

export const tables: Tables = {
  held_messages: {
    exported: 'under a legal hold alone',
    erased: 'when the hold ends',
    stays: 'a legal hold',
    ends: 'held',
    access: 'for the operator',
  },
}
