import type { inbox } from '@parley/sdk/contract/inbox.ts'
import { requireSelf } from '../../auth/tokens.ts'
import type { Handlers } from '../../http/endpoint.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof inbox> = {
  async getInbox({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.findInbox(db, address)
  },

  async countUnread({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.countUnread(db, address, 'all')
  },

  async countUnreadTotal({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.countUnread(db, address, 'all')
  },

  async countUnreadOfNft({ db }, { caller, params: { address, nftaddr, nftid } }) {
    requireSelf(caller, address)
    return store.countUnreadOfToken(db, address, nftaddr, nftid)
  },

  async countUnreadOfConversation({ db }, { caller, params: { fromaddr, toaddr } }) {
    requireSelf(caller, fromaddr, toaddr)
    return store.countUnreadFrom(db, caller.address, caller.address === fromaddr ? toaddr : fromaddr)
  },

  async countUnreadByType({ db }, { caller, params: { address, type } }) {
    requireSelf(caller, address)
    return store.countUnread(db, address, type)
  },

  async countUnreadOfNftChats({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.countUnread(db, address, 'nft')
  },
}
