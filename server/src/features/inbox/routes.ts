import type { inbox } from '@parley/sdk/contract/inbox.ts'
import type { Handlers } from '../../http/endpoint.ts'
import * as counts from './counts.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof inbox> = {
  async getInbox({ db }, { params: { address } }) {
    return store.findInbox(db, address)
  },

  async countUnread({ db }, { params: { address } }) {
    return counts.countUnread(db, address, 'all')
  },

  async countUnreadTotal({ db }, { params: { address } }) {
    return counts.countUnread(db, address, 'all')
  },

  async countUnreadOfNft({ db }, { params: { address, nftaddr, nftid } }) {
    return counts.countUnreadOfToken(db, address, nftaddr, nftid)
  },

  async countUnreadOfConversation({ db }, { caller, params: { fromaddr, toaddr } }) {
    return counts.countUnreadFrom(db, caller.address, caller.address === fromaddr ? toaddr : fromaddr)
  },

  async countUnreadByType({ db }, { params: { address, type } }) {
    return counts.countUnread(db, address, type)
  },

  async countUnreadOfNftChats({ db }, { params: { address } }) {
    return counts.countUnread(db, address, 'nft')
  },
}
