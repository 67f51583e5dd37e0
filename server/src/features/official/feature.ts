import { official } from '@parley/sdk/contract/official.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const officialFeature = feature({
  endpoints: [endpoints('Official', official, handlers)],
  tables: {
    officials: {
      exported: { times: { official_since: 'select since_ms from officials where address = $2' } },
      erased: 'stays',
      stays: 'the operator takes it off the team; until then nobody else may have its sign',
      ends: 'operators',
      access: 'a sign beside a name',
    },
  },
})
