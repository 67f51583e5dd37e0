import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type guestKeys, mostGuestKeys } from '@parley/sdk/contract/guest-keys.ts'
import type { Handlers } from '../../http/endpoint.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof guestKeys> = {
  async storeGuestKey({ db }, { params: { address, guest_key: name }, body: { data }, full }) {
    const stored = await store.insertGuestKey(db, address, { name, data })
    if (typeof stored === 'string') throw full(mostGuestKeys, 'They stay until the account is erased.')
    if (stored.data !== data)
      throw new ApiError('conflict', 'This passkey already opens another key here, which stays as it is.')
    return [stored]
  },

  async getGuestKey({ db }, { params: { address, guest_key: name } }) {
    return store.findGuestKey(db, address, name)
  },
}
