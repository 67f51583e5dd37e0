import { trust } from '@parley/sdk/contract/trust.ts'
import { deleteOwn } from '../../db/own-rows.ts'
import { endpoints, feature, ofNoWallet } from '../../feature.ts'
import { handlers } from './routes.ts'
import { deleteOldErasures, deleteOldFacts } from './store.ts'

export const trustFeature = feature({
  endpoints: [endpoints('Trust', trust, handlers)],
  tasks: {
    // viem takes a while to load, so it is loaded when it is needed.
    'read-chain-facts': async (ctx, payload) => (await import('./facts.ts')).readChainFacts(ctx, payload),
  },
  chores: [deleteOldFacts, deleteOldErasures],
  tables: {
    chain_facts: {
      exported: 'public facts of the chain',
      erased: deleteOwn('chain_facts', 'address'),
      ends: { column: 'ms', days: 7 },
      access: 'public facts',
    },
    // It is a keyed hash, which account/erase.ts stores.
    erasures: ofNoWallet({ column: 'erased_ms', days: 730 }, 'a hash'),
  },
})
