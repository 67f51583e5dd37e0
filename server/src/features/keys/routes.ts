import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { keys } from '@parley/sdk/contract/keys.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof keys> = {
  async publishKey({ db }, { params: { address }, body }) {
    if (body.address !== address)
      throw badRequest([{ pointer: '/body/address', detail: 'must be the address in the path' }])
    const stored = await store.upsertKey(db, body)
    if (stored.length === 0)
      throw new ApiError('conflict', 'Another device has published a key since. Read it again.')
    return stored
  },

  async getKey({ db }, { caller, params: { address } }) {
    return caller.address === address && !caller.scopes
      ? store.findOwnKey(db, address)
      : store.findKey(db, address)
  },
}
