import { bots } from '@parley/sdk/contract/bots.ts'
import { deleteNaming } from '../../db/own-rows.ts'
import { endpoints, feature } from '../../feature.ts'
import { handlers } from './routes.ts'

export const botsFeature = feature({
  endpoints: [endpoints('Bots', bots, handlers)],
  tables: {
    bots: {
      exported: { times: { bot_since: 'select since_ms from bots where walletaddr = $2' } },
      erased: deleteNaming('bots'),
      ends: 'erasure',
      access: 'a word of the wallet',
    },
  },
})
