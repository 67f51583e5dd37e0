import type { inbox } from '@parley/sdk/contract/inbox.ts'
import { requireSelf } from '../core/auth.ts'
import type { Handlers } from '../core/serve.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof inbox> = {
  async getInbox({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.findInbox(db, address)
  },

  async countUnread({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.countUnread(db, address)
  },

  async countUnreadTotal({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.countUnread(db, address)
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
    return type === 'dm' || type === 'all' ? store.countUnread(db, address) : 0
  },

  async countUnreadOfNftChats(_ctx, { caller, params: { address } }) {
    requireSelf(caller, address)
    return 0
  },
}
