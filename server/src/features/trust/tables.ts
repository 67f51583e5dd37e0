import { deleteOwn } from '../../db/own-rows.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'

export const tables: Tables = {
  chain_facts: {
    exported: 'public facts of the chain',
    erased: deleteOwn('chain_facts', 'address'),
    ends: { column: 'ms', days: 7 },
    access: 'public facts',
  },
  // It is a keyed hash, which account/erase.ts stores.
  erasures: ofNoWallet({ column: 'erased_ms', days: 730 }, 'a hash'),
}
