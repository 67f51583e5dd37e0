import type { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { hasJoined } from '../../messages/chat-access.ts'
import { chatKey } from '../../messages/chat-key.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof bookmarks> = {
  async joinChat({ db }, { body }) {
    return store.insertBookmark(db, body)
  },

  async leaveChat({ db }, { body: { walletaddr, nftaddr } }) {
    await store.deleteBookmark(db, walletaddr, nftaddr)
    return store.findBookmarks(db, walletaddr)
  },

  async listBookmarks({ db }, { params: { address } }) {
    return store.findBookmarks(db, address)
  },

  async hasJoined({ db }, { params: { walletaddr, nftaddr } }) {
    return hasJoined(db, walletaddr, chatKey(nftaddr))
  },
}
