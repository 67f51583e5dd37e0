import type { Tables } from '../../feature.ts'
import { apiKeyColumns } from './store.ts'
import { ofWallet } from '../../db/own-rows.ts'

export const tables: Tables = {
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
}
