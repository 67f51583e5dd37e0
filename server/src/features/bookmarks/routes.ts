import type { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { requireSelf } from '../../auth/tokens.ts'
import type { Handlers } from '../../http/endpoint.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof bookmarks> = {
  async joinChat({ db }, { caller, body }) {
    requireSelf(caller, body.walletaddr)
    return store.insertBookmark(db, body)
  },

  async leaveChat({ db }, { caller, body: { walletaddr, nftaddr } }) {
    requireSelf(caller, walletaddr)
    await store.deleteBookmark(db, walletaddr, nftaddr)
    return store.findBookmarks(db, walletaddr)
  },

  async listBookmarks({ db }, { caller, params: { address } }) {
    requireSelf(caller, address)
    return store.findBookmarks(db, address)
  },

  async hasJoined({ db }, { caller, params: { walletaddr, nftaddr } }) {
    requireSelf(caller, walletaddr)
    return store.hasBookmark(db, walletaddr, nftaddr)
  },
}
