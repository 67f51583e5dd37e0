import type { inbox } from '@parley/sdk/contract/inbox.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { findClosedChats } from '../../messages/chat-access.ts'
import * as counts from './counts.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof inbox> = {
  async getInbox(ctx, { params: { address }, query }) {
    return store.findInbox(ctx.db, address, await findClosedChats(ctx, address), query)
  },

  async countUnread(ctx, { params: { address } }) {
    return countOfType(ctx, address, 'all')
  },

  async countUnreadTotal(ctx, { params: { address } }) {
    return countOfType(ctx, address, 'all')
  },

  async countUnreadOfNft({ db }, { params: { address, nftaddr, nftid } }) {
    return counts.countUnreadOfToken(db, address, nftaddr, nftid)
  },

  async countUnreadOfConversation({ db }, { caller, params: { fromaddr, toaddr } }) {
    return counts.countUnreadFrom(db, caller.address, caller.address === fromaddr ? toaddr : fromaddr)
  },

  async countUnreadByType(ctx, { params: { address, type } }) {
    return countOfType(ctx, address, type)
  },

  async countUnreadOfNftChats(ctx, { params: { address } }) {
    return countOfType(ctx, address, 'nft')
  },
}

async function countOfType(ctx: Context, wallet: string, type: string): Promise<number> {
  const hasClosed = type === 'nft' || type === 'all'
  return counts.countUnread(ctx.db, wallet, type, hasClosed ? await findClosedChats(ctx, wallet) : [])
}
