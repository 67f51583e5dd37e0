import { incomingHooks } from '@parley/sdk/contract/incoming-hooks.ts'
import { ofWallet } from '../../db/own-rows.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { hookColumns } from './store.ts'

export const incomingHooksFeature = feature({
  endpoints: [endpoints('Bots', incomingHooks, handlers)],
  tables: {
    incoming_hooks: {
      exported: {
        // The export leaves out the hashes of the hooks.
        lines: {
          'incoming_hooks.jsonl': `select json_strip_nulls(row_to_json(k))::text as item
            from (select ${hookColumns} from incoming_hooks where ${ofWallet}) k order by k.created_at`,
        },
      },
      erased: 'with the grants of the wallet',
      ends: 'erasure',
      access: { grant: 'incoming_hooks' },
    },
  },
})
