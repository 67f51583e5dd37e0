import { deleteNaming } from '../../db/own-rows.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'

export const tables: Tables = {
  public_chats: ofNoWallet('bound', 'a decision of the owner of a chat; closing it ends it'),
  public_names: {
    exported: { times: { public_name_since: 'select since_ms from public_names where walletaddr = $2' } },
    erased: deleteNaming('public_names'),
    ends: 'erasure',
    access: 'a name beside messages that everybody may read',
  },
}
