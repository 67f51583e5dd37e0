import { deleteNaming } from '../../db/own-rows.ts'
import type { Tables } from '../../feature.ts'

export const tables: Tables = {
  bots: {
    exported: { times: { bot_since: 'select since_ms from bots where walletaddr = $2' } },
    erased: deleteNaming('bots'),
    ends: 'erasure',
    access: 'a word of the wallet',
  },
}
