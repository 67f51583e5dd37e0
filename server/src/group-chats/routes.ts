import type { groupChats, NewGroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { requireSelf, type Wallet } from '../core/auth.ts'
import { chatKey, enterChat, requireChat } from '../core/chats.ts'
import type { Context } from '../core/context.ts'
import type { Handlers } from '../core/serve.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof groupChats> = {
  postGroupMessage: post,
  postCommunityMessage: post,

  async listGroupMessages(ctx, { caller, params: { address, useraddress }, query }) {
    requireSelf(caller, useraddress)
    const { chat } = await requireChat(ctx, address, useraddress)
    await enterChat(ctx, useraddress, chat)
    return store.findMessages(ctx.db, chat, query)
  },

  async countUnreadOfChat({ db }, { params: { address, useraddress } }) {
    return store.countUnread(db, useraddress, chatKey(address))
  },
}

async function post(ctx: Context, { caller, body }: { caller: Wallet; body: NewGroupChatItem }) {
  requireSelf(caller, body.fromaddr)
  const chat = await requireChat(ctx, body.nftaddr, body.fromaddr)
  return [await store.insertPost(ctx.db, { ...chat, fromaddr: body.fromaddr, message: body.message })]
}
