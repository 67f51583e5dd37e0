import { deleteOwn } from '../../db/own-rows.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'

export const tables: Tables = {
  search_direct: {
    exported: 'the words of messages, which are exported',
    erased: deleteOwn('search_direct'),
    stays: 'words of messages that others edit, until those are deleted',
    ends: 'retention',
    access: 'messages',
  },
  search_posts: ofNoWallet('retention', 'messages'),
  search_gone: ofNoWallet('retention', 'numbers'),
}
