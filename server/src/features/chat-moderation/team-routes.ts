import { type chatTeam, mostInChatTeam } from '@parley/sdk/contract/chat-team.ts'
import { isShadowMuted } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { chatKey, communityOf } from '../../messages/chat-key.ts'
import { requireRole } from '../../messages/require-role.ts'
import { addToTeam, findTeam, removeFromTeam } from './team.ts'

/** Whom a wallet has named that is muted unseen, only that wallet sees. */
const teamAsSeenBy = ({ db, standing }: Context, reader: string, chat: string) =>
  findTeam(db, chat, (namedBy) => namedBy !== reader && isShadowMuted(standing, namedBy))

export const teamHandlers: Handlers<typeof chatTeam> = {
  async listChatTeam(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    return teamAsSeenBy(ctx, caller.address, communityOf(chat))
  },

  async addToChatTeam(ctx, { caller: { address }, params: { nftaddr, walletaddr }, body: { label }, full }) {
    const { community: chat } = await requireRole(ctx, nftaddr, address, 'owner')
    if (!(await addToTeam(ctx.db, chat, { owner: address, wallet: walletaddr, label })))
      throw full(mostInChatTeam, 'Take one off the team first.')
    return teamAsSeenBy(ctx, address, chat)
  },

  async removeFromChatTeam(ctx, { caller: { address }, params: { nftaddr, walletaddr } }) {
    if (address !== walletaddr) await requireRole(ctx, nftaddr, address, 'owner')
    await removeFromTeam(ctx.db, communityOf(chatKey(nftaddr)), address, walletaddr)
  },
}
