import { guestKeys } from '@parley/sdk/contract/guest-keys.ts'
import { deleteOwn, ofWallet } from '../../db/own-rows.ts'
import { endpoints, feature, ofNoWallet } from '../../feature.ts'
import { watchHost } from './first-host.ts'
import { handlers } from './routes.ts'
import { guestKeyColumns } from './store.ts'

export const guestKeysFeature = feature({
  endpoints: [endpoints('Keys of passkeys', guestKeys, handlers)],
  loops: (ctx) => [watchHost(ctx)],
  tables: {
    first_host: ofNoWallet('fixed', 'of the service'),
    guest_keys: {
      exported: {
        lines: {
          'guest-keys.jsonl': `select row_to_json(k)::text as item
            from (select name, ${guestKeyColumns} from guest_keys where ${ofWallet} order by slot) k`,
        },
      },
      erased: deleteOwn('guest_keys'),
      ends: 'erasure',
      access: 'the private key of the wallet, encrypted: who can make it has that key already',
    },
  },
})
