import { deleteOwn, ofAddress } from '../../db/own-rows.ts'
import type { Tables } from '../../feature.ts'
import { ownKeyColumns } from './store.ts'

export const tables: Tables = {
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
}
