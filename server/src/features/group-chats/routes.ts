import type { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { enterChat, requireChat } from '../../messages/chat-access.ts'
import { type Chat, chatKey } from '../../messages/chat-key.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { insertPost } from './post.ts'
import * as store from './store.ts'

// Asking a chain who holds a token may be slow, so it comes before any transaction.
const post = twoSteps<typeof groupChats.postGroupMessage, Chat>(
  (ctx, { body: { fromaddr, nftaddr } }) => requireChat(ctx, nftaddr, fromaddr),
  async ({ db }, { body: { fromaddr, message } }, chat) => insertPost(db, { ...chat, fromaddr, message }),
)

export const handlers: Handlers<typeof groupChats> = {
  postGroupMessage: post,
  postCommunityMessage: post,

  async listGroupMessages(ctx, { params: { address, useraddress }, query }) {
    const { chat } = await requireChat(ctx, address, useraddress)
    const last = await enterChat(ctx, useraddress, chat)
    return store.findMessages(ctx.db, chat, last, query)
  },

  async countUnreadOfChat({ db }, { params: { address, useraddress } }) {
    return store.countUnread(db, useraddress, chatKey(address))
  },
}
