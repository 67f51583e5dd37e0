import type { bookmarks, SharedChat } from '@parley/sdk/contract/bookmarks.ts'
import { inPortions, portionsOf } from '../../db/portions.ts'
import type { Db } from '../../db/pool.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { findJoinedChats } from '../../messages/chat-access.ts'
import { chatKey, isNftKey, isRoom } from '../../messages/chat-key.ts'
import { joinDueRooms } from '../../messages/rooms.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof bookmarks> = {
  async joinChat({ db, config: { bookmarksInAll }, standing }, { body, full }) {
    const chat = chatKey(body.nftaddr)
    requireNoTakedown(standing, chat)
    const joined = await store.insertBookmark(db, body, bookmarksInAll)
    if (joined.length === 0) throw full(bookmarksInAll, 'Leave a chat first (POST /v1/delete_bookmark).')
    if (!isNftKey(chat) && !isRoom(chat)) await joinDueRooms(db, body.walletaddr, chat, bookmarksInAll)
    return joined
  },

  async leaveChat({ db }, { body: { walletaddr, nftaddr } }) {
    if (!isRoom(chatKey(nftaddr))) await store.leaveRooms(db, walletaddr, chatKey(nftaddr))
    await store.deleteBookmark(db, walletaddr, nftaddr)
    return allBookmarks(db, walletaddr)
  },

  async listBookmarks({ db }, { params: { address } }) {
    return allBookmarks(db, address)
  },

  async hasJoined({ db }, { params: { walletaddr, nftaddr } }) {
    return store.hasJoined(db, walletaddr, chatKey(nftaddr))
  },

  async listSharedChats({ gate }, { caller, params: { walletaddr } }) {
    return portionsOf(async (long) => {
      const mine = await store.findBookmarks(long, caller.address)
      const joined = new Set(await findJoinedChats(long, walletaddr))
      const shared = mine
        .map(({ nftaddr }) => ({ nftaddr, key: chatKey(nftaddr) }))
        .filter(({ key }) => joined.has(key))
      const keys = shared.map(({ key }) => key)
      const closed = new Set(await gate.closedTo(caller.address, keys))
      return shared
        .filter(({ key }) => !closed.has(key))
        .map(({ nftaddr }): SharedChat => ({
          nftaddr,
          context_type: isNftKey(nftaddr) ? 'nft' : 'community',
        }))
    })
  },
}

const allBookmarks = (db: Db, wallet: string) =>
  inPortions(
    db,
    {},
    {
      read: (on, page: { limit?: number; after?: number }) => store.findBookmarks(on, wallet, page),
      after: ({ id }) => ({ after: id }),
    },
  )
