import type { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { enterChat, requireChat } from '../../messages/chat-access.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { type Handlers, storingKey } from '../../http/endpoint.ts'
import { insertPost } from './post.ts'
import * as store from './store.ts'

const post = storingKey<typeof groupChats.postGroupMessage>(
  async (ctx, { body: { fromaddr, nftaddr, message }, key }) => {
    const chat = await requireChat(ctx, nftaddr, fromaddr)
    return insertPost(ctx.db, { ...chat, fromaddr, message }, key)
  },
)

export const handlers: Handlers<typeof groupChats> = {
  postGroupMessage: post,
  postCommunityMessage: post,

  async listGroupMessages(ctx, { params: { address, useraddress }, query }) {
    const chat = await requireChat(ctx, address, useraddress)
    const last = await enterChat(ctx, useraddress, chat)
    return store.findMessages(ctx.db, chat.chat, last, query)
  },

  async countUnreadOfChat({ db }, { params: { address, useraddress } }) {
    return store.countUnread(db, useraddress, chatKey(address))
  },
}
