import type { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { findJoinedChats } from '../../messages/chat-access.ts'
import { chatKey, isNftKey } from '../../messages/chat-key.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof bookmarks> = {
  async joinChat({ db, config: { bookmarksInAll }, standing }, { body }) {
    requireNoTakedown(standing, chatKey(body.nftaddr))
    const joined = await store.insertBookmark(db, body, bookmarksInAll)
    if (joined.length === 0)
      throw new ApiError(
        'payload_too_large',
        `Your wallet may have ${bookmarksInAll} bookmarks, and has them. Leave a chat (POST /v1/delete_bookmark) to join another.`,
      )
    return joined
  },

  async leaveChat({ db }, { body: { walletaddr, nftaddr } }) {
    await store.deleteBookmark(db, walletaddr, nftaddr)
    return store.findBookmarks(db, walletaddr)
  },

  async listBookmarks({ db }, { params: { address } }) {
    return store.findBookmarks(db, address)
  },

  async hasJoined({ db }, { params: { walletaddr, nftaddr } }) {
    return store.hasJoined(db, walletaddr, chatKey(nftaddr))
  },

  async listSharedChats({ db, gate }, { caller, params: { walletaddr } }) {
    const [mine, theirs] = await Promise.all([
      store.findBookmarks(db, caller.address),
      findJoinedChats(db, walletaddr),
    ])
    const joined = new Set(theirs)
    const shared = mine.filter(({ nftaddr }) => joined.has(chatKey(nftaddr)))
    const closed = new Set(
      await gate.closedTo(
        caller.address,
        shared.map(({ nftaddr }) => chatKey(nftaddr)),
      ),
    )
    return shared
      .filter(({ nftaddr }) => !closed.has(chatKey(nftaddr)))
      .map(({ nftaddr }) => ({ nftaddr, context_type: isNftKey(nftaddr) ? 'nft' : 'community' }))
  },
}
