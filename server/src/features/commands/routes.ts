import { type commands as contract, mostInChat } from '@parley/sdk/contract/commands.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { isBanned, isShadowMuted } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof contract> = {
  async setCommands(ctx, { caller: { address: wallet }, params: { nftaddr }, body: { commands } }) {
    const { chat } = await requireChat(ctx, nftaddr, wallet)
    await requireBot(ctx, chat, wallet)
    const words = commands.map(({ word }) => word)
    const twice = words.findIndex((word, i) => words.indexOf(word) !== i)
    if (twice !== -1)
      throw badRequest([{ pointer: `/body/commands/${twice}/word`, detail: 'stands there twice' }])
    const { bans } = ctx.chatRules
    if (!(await store.replaceCommands(ctx.db, { chat, wallet, commands }, (bot) => bans.isBanned(chat, bot))))
      throw new ApiError(
        'conflict',
        `The bots of a chat have at most ${mostInChat} words together. Its moderators make room by banning one.`,
      )
    return findShown(ctx, chat, wallet)
  },

  async listCommands(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    return findShown(ctx, chat, caller.address)
  },
}

/** Who may have commands: a bot that is in the chat. */
async function requireBot({ db, bots }: Context, chat: string, wallet: string): Promise<void> {
  if (!(await bots.isBot(wallet)))
    throw new ApiError('forbidden', 'Only bots have commands: PUT /v1/bot makes this wallet a bot, for good.')
  if (!(await store.hasJoined(db, chat, wallet)))
    throw new ApiError('forbidden', 'Join the chat first: POST /v1/create_bookmark.')
}

/** Those that a wallet sees: of a bot that is banned, or muted unseen, nobody else sees any. */
async function findShown({ db, chatRules: { bans }, standing }: Context, chat: string, reader: string) {
  const isHidden = (bot: string) =>
    bans.isBanned(chat, bot) || isBanned(standing, bot) || (bot !== reader && isShadowMuted(standing, bot))
  return (await store.findCommands(db, chat)).filter(({ walletaddr }) => !isHidden(walletaddr))
}
