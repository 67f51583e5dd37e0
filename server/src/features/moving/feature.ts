import { moving } from '@parley/sdk/contract/moving.ts'
import { endpoints, feature, ofNoWallet } from '../../feature.ts'
import { instant } from '../../messages/shared-sql.ts'
import { deleteExpiredExports } from './own-chats.ts'
import { handlers } from './routes.ts'
import { deleteExpiredCodes, forgetClaims } from './store.ts'
import { deleteExpiredTries } from './wrong-codes.ts'

export const movingFeature = feature({
  endpoints: [endpoints('Moving', moving, handlers)],
  chores: [deleteExpiredCodes, deleteExpiredTries, deleteExpiredExports],
  tables: {
    imported_claims: {
      exported: {
        lines: {
          'imported.jsonl': `select json_build_object('address', address, 'since', ${instant('since_ms')})::text as item
            from imported_claims where walletaddr = $2 order by since_ms, address`,
        },
      },
      erased: forgetClaims,
      ends: 'erasure',
      access: 'a name from elsewhere',
    },
    claim_codes: {
      exported: 'a hash that opens nothing any more',
      erased: 'with the claims',
      ends: { column: 'expires_ms', days: 0 },
      access: 'the administrator gives the code to one person, who enters it while signed in',
    },
    chat_exports: ofNoWallet({ column: 'expires_ms', days: 0 }, 'times'),
    wrong_codes: ofNoWallet({ column: 'expires_ms', days: 0 }, 'a hash'),
  },
})
