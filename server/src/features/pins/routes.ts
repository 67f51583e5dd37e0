import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mostPins, type pins } from '@parley/sdk/contract/pins.ts'
import { isShadowMuted, requireOpenChat } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { getRole } from '../../messages/chat-rules.ts'
import { type MessagePlace, refusedChange, requirePlace } from '../../messages/message-place.ts'
import { chatBucket, placeOf } from '../../values/bucket.ts'
import * as store from './store.ts'

/** Finds the place of a message in which a wallet may pin. */
async function requirePinning(ctx: Context, wallet: string, id: number): Promise<MessagePlace> {
  const place = await requirePlace(ctx, wallet, id)
  if (place.kind === 'chat') {
    requireOpenChat(ctx.standing, place.chat)
    if (!(await getRole(ctx.db, place.chat, wallet)))
      throw new ApiError('forbidden', 'Only the owner and the moderators of a chat pin its messages.')
  }
  return place
}

const peerOf = (place: MessagePlace) => (place.kind === 'conversation' ? place.peer : place.nftaddr)

export const handlers: Handlers<typeof pins> = {
  async pinMessage(ctx, { caller: { address: wallet }, params, publishing, full }) {
    const id = Number(params.id)
    const place = await requirePinning(ctx, wallet, id)
    const refused = await store.changePin(ctx.db, place, { id, wallet, pinned: true }, publishing)
    if (refused === 'too-many') throw full(mostPins, 'Remove a pin first (DELETE /v1/pins/{id}).')
    if (refused) throw refusedChange(refused, peerOf(place))
  },

  async unpinMessage(ctx, { caller: { address: wallet }, params }) {
    const id = Number(params.id)
    const place = await requirePinning(ctx, wallet, id)
    const refused = await store.changePin(
      ctx.db,
      place,
      { id, wallet, pinned: false },
      { isUnseen: isShadowMuted(ctx.standing, wallet) },
    )
    if (refused) throw refusedChange(refused, peerOf(place))
  },

  async listPinsOfConversation({ db }, { caller: { address: wallet }, params: { toaddr } }) {
    return store.listPinsOfPair(db, placeOf(wallet, toaddr), wallet)
  },

  async listPinsOfChat(ctx, { caller: { address: wallet }, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, wallet)
    return store.listPinsOfChat(ctx.db, { bucket: chatBucket(chat), place: chat }, wallet)
  },
}
