import { keys } from '@parley/sdk/contract/keys.ts'
import { deleteOwn, ofAddress } from '../../db/own-rows.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'
import { ownKeyColumns } from './store.ts'

export const keysFeature = feature({
  endpoints: [endpoints('Keys', keys, handlers)],
  tables: {
    keys: {
      exported: {
        lines: {
          'key.jsonl': `select row_to_json(k)::text as item
            from (select ${ownKeyColumns} from keys where ${ofAddress}) k`,
        },
      },
      erased: deleteOwn('keys', 'address'),
      ends: 'erasure',
      access: 'a key that its wallet has signed, which clients check; the backup opens with the wallet alone',
    },
  },
})
