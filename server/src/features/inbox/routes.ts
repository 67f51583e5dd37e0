import type { inbox } from '@parley/sdk/contract/inbox.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { findClosedChats } from '../../messages/chat-access.ts'
import type { View } from '../../messages/shared-sql.ts'
import * as counts from './counts.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof inbox> = {
  async getInbox(ctx, { params: { address }, query }) {
    return store.findInbox(ctx.db, address, await findClosedChats(ctx, address), query)
  },

  async countUnread(ctx, { params: { address }, query }) {
    return countOfView(ctx, address, query.view)
  },

  async countUnreadTotal(ctx, { params: { address }, query }) {
    return countOfView(ctx, address, query.view)
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

const countOfView = async (ctx: Context, wallet: string, view: View = 'all'): Promise<number> =>
  counts.countUnreadIn(ctx.db, wallet, view, view === 'requests' ? [] : await findClosedChats(ctx, wallet))

async function countOfType(ctx: Context, wallet: string, type: string): Promise<number> {
  const hasClosed = type !== 'dm'
  return counts.countUnread(ctx.db, wallet, type, hasClosed ? await findClosedChats(ctx, wallet) : [])
}
