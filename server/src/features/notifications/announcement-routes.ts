import type { announcements } from '@parley/sdk/contract/announcements.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mayNotAnnounce } from '../../auth/standing.ts'
import { inPortions } from '../../db/portions.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { noSuchMessage, requirePlace } from '../../messages/message-place.ts'
import { requirePosting } from '../../messages/post-message.ts'
import { requireRole } from '../../messages/require-role.ts'
import * as store from './announcing.ts'
import { findAnnouncingChats } from './chats.ts'

export const handlers: Handlers<typeof announcements> = {
  async listAnnouncingChats({ db }, { caller: { address: wallet } }) {
    const query: { limit?: number; after?: string } = {}
    return inPortions(db, query, {
      read: (on, page) => findAnnouncingChats(on, wallet, page),
      after: ({ nftaddr }) => ({ after: chatKey(nftaddr) }),
    })
  },

  // Spec gap: moderators announce too: they speak for the chat in a room of news as well.
  async announcePost(ctx, { caller: { address: wallet }, params, publishing }) {
    const id = Number(params.id)
    const place = await requirePlace(ctx, wallet, id)
    if (place.kind !== 'chat') throw noSuchMessage()
    const at = await requireRole(ctx, place.nftaddr, wallet, 'owner', 'moderator')
    await requirePosting(ctx, { fromaddr: wallet, nftaddr: place.nftaddr, message: '' })
    if (mayNotAnnounce(ctx.standing, at.chat))
      throw new ApiError(
        'forbidden',
        'An operator of this service has stopped the announcements of this chat.',
      )
    await store.announcePost(ctx.db, at, { id, wallet }, publishing)
  },

  async getAnnouncing(ctx, { caller: { address: wallet }, params: { nftaddr } }) {
    const at = await requireRole(ctx, nftaddr, wallet, 'owner', 'moderator')
    const found = await store.getAnnouncing(ctx, at, wallet)
    return mayNotAnnounce(ctx.standing, at.chat) ? { ...found, forbidden: true } : found
  },
}
