import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { events } from '@parley/sdk/contract/events.ts'
import { isBanned, isShadowMuted } from '../../auth/standing.ts'
import { findJoinedChat } from '../../messages/chat-access.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { seesTyping } from '../../messages/consent.ts'
import { parsePosition, sendHead } from '../../live/stream.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { seeing } from './seeing.ts'

export const handlers: Handlers<typeof events> = {
  async streamEvents(ctx, { caller, http: { request, reply } }) {
    if (request.method === 'HEAD') {
      reply.hijack()
      sendHead(reply.raw, reply.getHeaders()).end()
      return
    }
    const last = request.headers['last-event-id']
    const after = last === undefined ? undefined : parsePosition(String(last))
    const { address: wallet, expires, apiKey } = caller
    ctx.limits.holdStream(wallet, request, reply)
    const isOver = (now: number) =>
      now >= expires ||
      (apiKey ? ctx.apiKeys.isGone(wallet, apiKey) : ctx.signOuts.isOut(caller)) ||
      isBanned(ctx.standing, wallet) ||
      request.isSpent()
    await ctx.events.stream(reply, { wallet, isOver, after, sees: seeing(caller) })
  },

  async sendTyping(ctx, { body: { fromaddr, toaddr, nftaddr } }) {
    const { db, gate, events, standing } = ctx
    const isShadowed = isShadowMuted(standing, fromaddr)
    if ((toaddr === undefined) === (nftaddr === undefined))
      throw badRequest([
        {
          pointer: '/body/toaddr',
          detail: 'or else nftaddr is required, and not both: where the wallet types',
        },
      ])
    if (nftaddr === undefined) {
      const isSeen = await seesTyping(ctx, fromaddr, toaddr!)
      if (isSeen && !isShadowed) events.typing({ fromaddr, toaddr: toaddr! })
      return
    }
    const chat = await findJoinedChat(db, fromaddr, nftaddr)
    if (chat === undefined) throw new ApiError('forbidden', 'Join the chat first: POST /v1/create_bookmark.')
    await gate.requirePost(chatKey(nftaddr), fromaddr)
    if (!isShadowed) events.typing({ fromaddr, nftaddr: chat })
  },
}
