import { type commands as contract, mostInChat } from '@parley/sdk/contract/commands.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mayPublish } from '../../auth/publishing.ts'
import { isBanned, isShadowMuted } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { requirePosting } from '../../messages/post-message.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof contract> = {
  async setCommands(
    ctx,
    { caller: { address: wallet }, params: { nftaddr }, body: { commands }, publishing, full },
  ) {
    const { chat } = await requireWords(ctx, nftaddr, wallet, commands)
    await requireBot(ctx, chat, wallet)
    const words = commands.map(({ word }) => word)
    const twice = words.findIndex((word, i) => words.indexOf(word) !== i)
    if (twice !== -1)
      throw badRequest([{ pointer: `/body/commands/${twice}/word`, detail: 'stands there twice' }])
    const replace = (isClosedTo: (bot: string) => boolean) =>
      store.replaceCommands(
        ctx.db,
        publishing,
        { chat, wallet, commands },
        (bot) => mayNotPost(ctx, chat, bot) || isClosedTo(bot),
      )
    if (!(await replace(() => false))) {
      // This comes last, because each check may need a query to a chain.
      const closed = await findClosedTo(ctx, chat)
      if (!(await replace((bot) => closed.has(bot))))
        throw full(
          `${mostInChat} commands of all bots of this chat`,
          'Its moderators make room by banning a bot; who owns the contract of an NFT chat becomes its owner by claiming it. The commands of a bot that does not use them for 30 days make room too.',
        )
    }
    return findShown(ctx, chat, wallet)
  },

  async listCommands(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    return findShown(ctx, chat, caller.address)
  },
}

/** Returns the chat in which a bot may show some words, as it may post them: everyone who reads the chat reads them. */
async function requireWords(
  ctx: Context,
  nftaddr: string,
  wallet: string,
  commands: { word: string; description: string }[],
) {
  if (commands.length === 0) return requireChat(ctx, nftaddr, wallet)
  const message = commands.map(({ word, description }) => `${word} ${description}`).join('\n')
  const { chat, rule } = await requirePosting(ctx, { fromaddr: wallet, nftaddr, message })
  if (!rule?.held) return chat
  throw new ApiError(
    'forbidden',
    'A post with one of these texts waits for a moderator in this chat, so they cannot be shown. Choose others.',
  )
}

/** Requires that the wallet may have commands: it is a bot in the chat. */
async function requireBot({ db, bots }: Context, chat: string, wallet: string): Promise<void> {
  if (!(await bots.isBot(wallet)))
    throw new ApiError('forbidden', 'Only bots have commands: PUT /v1/bot makes this wallet a bot, for good.')
  if (!(await store.hasJoined(db, chat, wallet)))
    throw new ApiError('forbidden', 'Join the chat first: POST /v1/create_bookmark.')
}

/** Returns true when a bot may not post in a chat, as far as this instance knows. */
const mayNotPost = ({ chatRules, standing }: Context, chat: string, bot: string) =>
  chatRules.bans.isBanned(chat, bot) || mayPublish(standing, bot) === undefined

/** Returns the bots with words that the gate of a chat no longer lets in. */
async function findClosedTo(ctx: Context, chat: string): Promise<Set<string>> {
  const bots = new Set((await store.findCommands(ctx.db, chat)).map(({ walletaddr }) => walletaddr))
  const closed = await Promise.all(
    [...bots].map(async (bot) => (await ctx.gate.closedTo(bot, [chat])).length > 0),
  )
  return new Set([...bots].filter((_, n) => closed[n]))
}

/** Returns the commands that a wallet sees: nobody else sees those of a bot that is banned, or muted unseen. */
async function findShown({ db, chatRules: { bans }, standing }: Context, chat: string, reader: string) {
  const isHidden = (bot: string) =>
    bans.isBanned(chat, bot) || isBanned(standing, bot) || (bot !== reader && isShadowMuted(standing, bot))
  return (await store.findCommands(db, chat)).filter(({ walletaddr }) => !isHidden(walletaddr))
}
