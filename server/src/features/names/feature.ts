import { chainNames } from '@parley/sdk/contract/chain-names.ts'
import { names } from '@parley/sdk/contract/names.ts'
import { endpoints, feature } from '../../feature.ts'
import * as chain from './chain-names.ts'
import { deleteOldChainNames } from './chain-names-store.ts'
import { handlers } from './routes.ts'
import { tables } from './tables.ts'

export const namesFeature = feature({
  endpoints: [endpoints('Names', names, handlers), endpoints('Names', chainNames, chain.handlers)],
  tasks: { 'read-chain-names': chain.readChainNames },
  chores: [deleteOldChainNames],
  tables,
})
