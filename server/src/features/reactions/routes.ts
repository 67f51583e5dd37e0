import { ApiError } from '@parley/sdk/contract/errors.ts'
import { maxEmojiBytes, type reactions } from '@parley/sdk/contract/reactions.ts'
import { isEmoji } from '@parley/sdk/unseen.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { refusedChange, requirePlace } from '../../messages/message-place.ts'
import { requireTakingPart } from '../../messages/post-message.ts'
import * as store from './store.ts'

/** Returns whether values are one sealed value, or throws 400 for what is neither that nor emoji. */
function isSealed(values: string[]): boolean {
  if (new Set(values).size < values.length)
    throw badRequest([{ pointer: '/body/values', detail: 'has each value once' }])
  if (values.every((value) => isEmoji(value) && Buffer.byteLength(value) <= maxEmojiBytes)) return false
  if (values.length === 1 && /^[\x21-\x7e]{40,}$/.test(values[0]!)) return true
  throw badRequest([
    {
      pointer: '/body/values',
      detail: `has emoji that Unicode recommends, each of at most ${maxEmojiBytes} bytes; or one sealed value`,
    },
  ])
}

function refusal(refused: string, peer: string): ApiError {
  if (refused === 'too-many')
    return new ApiError('conflict', 'This message has 20 kinds of reactions. React with one of them.')
  if (refused === 'plain')
    return new ApiError('conflict', 'This message is not encrypted: react to it with emoji.')
  if (refused === 'sealed')
    return new ApiError('conflict', 'This message is encrypted: react to it with one sealed value.')
  return refusedChange(refused, peer)
}

export const handlers: Handlers<typeof reactions> = {
  async react(ctx, { caller: { address: wallet }, params, body: { values }, publishing }) {
    const id = Number(params.id)
    const sealed = isSealed(values)
    const place = await requirePlace(ctx, wallet, id)
    ctx.changeLimits.takeReaction(wallet, id)
    const change = { id, wallet, values: values.toSorted(), isUnseen: publishing.isUnseen }
    if (place.kind === 'conversation') {
      const refused = await store.reactToMessage(ctx.db, place, { ...change, sealed })
      if (refused) throw refusal(refused, place.peer)
      return
    }
    if (sealed) throw refusal('plain', '')
    const message = values.join(' ')
    const { rule } = await requireTakingPart(ctx, { fromaddr: wallet, nftaddr: place.nftaddr, message })
    const isUnseen = change.isUnseen || (rule?.held ?? false)
    const refused = await store.reactToPost(ctx.db, { ...change, chat: place, isUnseen })
    if (refused) throw refusal(refused, '')
  },

  async listReactions(ctx, { caller: { address: wallet }, params, query: { after, value } }) {
    const id = Number(params.id)
    await requirePlace(ctx, wallet, id)
    return store.listReactions(ctx.db, id, wallet, { after, value })
  },

  async listOwnReactions({ db }, { caller: { address: wallet }, query: { from, to, ...page } }) {
    return store.listOwnReactions(db, { wallet, from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER }, page)
  },
}
