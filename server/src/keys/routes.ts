import type { keys } from '@parley/sdk/contract/keys.ts'
import { requireSelf } from '../core/auth.ts'
import type { Handlers } from '../core/serve.ts'
import { badRequest } from '../core/validation.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof keys> = {
  async publishKey({ db }, { caller, params: { address }, body }) {
    requireSelf(caller, address)
    if (body.address !== address)
      throw badRequest([{ pointer: '/body/address', detail: 'must be the address in the path' }])
    return store.upsertKey(db, body)
  },

  async getKey({ db }, { caller, params: { address } }) {
    return caller.address === address ? store.findOwnKey(db, address) : store.findKey(db, address)
  },
}
