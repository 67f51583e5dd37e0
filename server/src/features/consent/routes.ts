import type { consent } from '@parley/sdk/contract/consent.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { inPortions } from '../../db/portions.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { decideRequests } from './deciding.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof consent> = {
  async listContacts({ db }, { caller, query }) {
    return inPortions(db, query, {
      most: 1000,
      read: (on, page) => store.findContacts(on, caller.address, page),
      after: ({ peer }) => ({ after: peer }),
    })
  },

  async getContact({ db }, { caller, params: { peer } }) {
    return store.getContact(db, caller.address, peer)
  },

  async setContact({ db, config: { contactsInAll } }, { caller, params: { peer }, body, full }) {
    if (peer === caller.address)
      throw badRequest([{ pointer: '/path/peer', detail: 'must be another wallet than your own' }])
    if (body.blocked !== undefined && body.state !== undefined)
      throw badRequest([{ pointer: '/body/blocked', detail: 'or else state: send one of them' }])
    const contact = await store.updateContact(db, caller.address, peer, body, contactsInAll)
    if (contact) return contact
    throw full(contactsInAll, 'Take back a name, a mute or a block that you no longer need first.')
  },

  async acceptRequests({ db }, { caller }) {
    return decideRequests(db, caller.address, 'accepted')
  },

  async clearRequests({ db }, { caller }) {
    return decideRequests(db, caller.address, 'ignored')
  },

  async muteChat({ db }, { caller, params: { nftaddr }, body }) {
    const muted_until = await store.muteChat(db, caller.address, nftaddr, body.muted_until)
    if (muted_until === undefined)
      throw new ApiError('not_found', 'You have not joined this chat: POST /v1/create_bookmark.')
    return { muted_until }
  },
}
