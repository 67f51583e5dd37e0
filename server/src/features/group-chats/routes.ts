import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { enterChat, requireChat } from '../../messages/chat-access.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { inPortions } from '../../db/portions.ts'
import { type Handlers, storingKey } from '../../http/endpoint.ts'
import { postInChat } from '../../messages/post-message.ts'
import * as store from './store.ts'

const countsClosed = () =>
  new ApiError('forbidden', 'This service shows the count only to the wallet itself: send its token.')

export const handlers: Handlers<typeof groupChats> = {
  postGroupMessage: storingKey(postInChat),
  postCommunityMessage: storingKey(postInChat),

  async listMembers(ctx, { caller, params: { nftaddr }, query }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    return inPortions(ctx.db, query, {
      most: 50,
      async read(on, page) {
        const members = await store.findMembers(on, chat, page)
        const bots = await ctx.bots.among(members.map(({ walletaddr }) => walletaddr))
        for (const one of members) if (bots.has(one.walletaddr)) one.is_bot = true
        return members
      },
      after: ({ walletaddr }) => ({ after: walletaddr }),
    })
  },

  async listGroupMessages(ctx, { params: { address, useraddress }, query: { enter, since, ...page }, http }) {
    const chat = await requireChat(ctx, address, useraddress)
    const last =
      enter === false ? Number.MAX_SAFE_INTEGER : await enterChat(ctx, useraddress, chat, http.request.who)
    const first =
      since === undefined ? -1 : await store.getLastBefore(ctx.db, chat.chat, useraddress, Date.parse(since))
    const after = Math.max(first, page.after ?? -1)
    return store.findMessages(ctx.db, chat.chat, useraddress, last, after < 0 ? page : { ...page, after })
  },

  async countUnreadOfChat(
    { db, gate, config, limits, standing },
    { caller, params: { address, useraddress }, http },
  ) {
    const chat = chatKey(address)
    if (caller?.address === useraddress)
      return (await gate.closedTo(useraddress, [chat])).length > 0
        ? 0
        : (await store.getVisitor(db, useraddress, chat)).unread
    if (!config.publicUnreadCounts) throw countsClosed()
    // A token of another wallet costs nothing, so it buys nothing.
    if (caller) limits.take('public-count', null, http.request, http.reply)
    // Spec gap: what anyone may see. Nothing of a chat that may be for holders or was taken down, and
    // nothing of a wallet that has not joined: its count would show when it looks into the chat.
    if (gate.isForHolders(chat) || standing.sanction(chat, 'takedown')) return 0
    return store.countForOthers(db, useraddress, chat)
  },
}
