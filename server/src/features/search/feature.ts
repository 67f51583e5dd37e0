import { search } from '@parley/sdk/contract/search.ts'
import { endpoints, feature } from '../../feature.ts'
import { cleanIndex } from './clean.ts'
import { searchReader } from './reader.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const searchFeature = feature({
  endpoints: [endpoints('Searches', search, handlers)],
  readers: ({ config }) => (config.search ? [searchReader] : []),
  tasks: { 'clean-index': ({ db }, _payload, { signal }) => cleanIndex(db, () => signal.aborted) },
  tables,
})
