import { apiKeys } from '@parley/sdk/contract/api-keys.ts'
import { ofWallet } from '../../db/own-rows.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { apiKeyColumns } from './store.ts'

export const apiKeysFeature = feature({
  endpoints: [endpoints('API keys', apiKeys, handlers)],
  tables: {
    api_keys: {
      exported: {
        // The export leaves out the hashes of the keys.
        lines: {
          'api_keys.jsonl': `select json_strip_nulls(row_to_json(k))::text as item
            from (select ${apiKeyColumns} from api_keys where ${ofWallet}) k order by k.created_at`,
        },
      },
      erased: 'with the grants of the wallet',
      ends: 'erasure',
      access: { grant: 'api_keys' },
    },
  },
})
