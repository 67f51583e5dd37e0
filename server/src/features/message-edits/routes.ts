import { ApiError } from '@parley/sdk/contract/errors.ts'
import { editableHours, type messageEdits } from '@parley/sdk/contract/message-edits.ts'
import { mostEdits } from '@parley/sdk/contract/reactions.ts'
import type { Context } from '../../context.ts'
import { JsonList, pageOf } from '../../db/pages.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import {
  type MessagePlace,
  noSuchMessage,
  refusedChange,
  requirePlace,
} from '../../messages/message-place.ts'
import { requirePosting } from '../../messages/post-message.ts'
import { isHolder, refusalOf } from '../../messages/refusals.ts'
import * as store from './store.ts'

const refusals: Record<string, string> = {
  'too-late': `Messages can be edited for ${editableHours} hours. Send a new one.`,
  'too-many': `A message can be edited ${mostEdits} times. Send a new one.`,
  written: 'A text is replaced in the two minutes after it was sent. Edit it, without writing.',
  sealed: 'This message is encrypted, and its edit must be too: send encrypted_sym_x_key.',
  held: 'A moderator reviews this post first. Delete it, and send a new one.',
  pending:
    'The other wallet has not answered yet: your messages have 16 KiB together at most until then. Make it shorter.',
}

/** Edits a message. Where its recipient accepts messages from holders only, the chain is called, as for a new message. */
async function edit(ctx: Context, place: MessagePlace, change: Parameters<typeof store.edit>[2]) {
  const outcome = await store.edit(ctx.db, place, change)
  if (outcome.refused !== 'holders') return outcome
  const holder = await isHolder(ctx.gate, outcome.policy!, change.wallet)
  return holder === 'no' ? outcome : store.edit(ctx.db, place, { ...change, holder })
}

/** An edit is refused where the same text would be refused as a new post, or would wait for a moderator. */
async function requireEditing(
  ctx: Context,
  { nftaddr }: Extract<MessagePlace, { kind: 'chat' }>,
  fromaddr: string,
  message: string,
) {
  const { rule } = await requirePosting(ctx, { fromaddr, nftaddr, message })
  if (rule?.held)
    throw new ApiError(
      'conflict',
      'A moderator reviews posts with these words first. Send it as a new message.',
    )
}

function refusalIn(place: MessagePlace, refused: string, policy: string | null): ApiError {
  if (place.kind === 'chat') return refusedChange(refused, place.nftaddr)
  if (refused === 'not-accepting' || refused === 'holders') return refusalOf(refused, place.peer, policy)
  return refusedChange(refused, place.peer)
}

/** Bots replace the text of a message while they make it. */
async function requireWriting({ bots, changeLimits }: Context, wallet: string, id: number): Promise<void> {
  if (!(await bots.isBot(wallet)))
    throw badRequest([{ pointer: '/body/writing', detail: 'is for bots alone' }])
  changeLimits.takeWriting(wallet, id)
}

export const handlers: Handlers<typeof messageEdits> = {
  async editMessage(ctx, { caller: { address: wallet }, params, body, publishing }) {
    const id = Number(params.id)
    if (!body.message) throw badRequest([{ pointer: '/body/message', detail: 'must not be empty' }])
    const place = await requirePlace(ctx, wallet, id)
    if (place.kind === 'chat') {
      if (body.encrypted_sym_x_key !== undefined)
        throw badRequest([{ pointer: '/body/encrypted_sym_x_key', detail: 'is for direct messages alone' }])
      await requireEditing(ctx, place, wallet, body.message)
    }
    if (body.writing) await requireWriting(ctx, wallet, id)
    const { dmDefault } = ctx.config
    const change = { ...body, id, wallet, isUnseen: publishing.isUnseen, dmDefault }
    const { refused, policy = null } = await edit(ctx, place, change)
    if (refused === 'none')
      throw (await store.findMessage(ctx.db, place, wallet, id))
        ? new ApiError('forbidden', 'Only its author edits a message.')
        : noSuchMessage()
    const item = await store.findMessage(ctx.db, place, wallet, id)
    if (!item) throw noSuchMessage()
    if (refused === 'revision')
      throw new ApiError('conflict', 'This message was edited meanwhile: current has it as it is now.', {
        current: item,
      })
    if (refused !== null && refused in refusals) throw new ApiError('conflict', refusals[refused]!)
    if (refused !== null && refused !== 'same') throw refusalIn(place, refused, policy)
    return [item]
  },

  async listEdits(ctx, { caller: { address: wallet }, params }) {
    const id = Number(params.id)
    const versions = await store.listEdits(ctx.db, await requirePlace(ctx, wallet, id), wallet, id)
    return new JsonList(versions.map((one) => pageOf([one])))
  },
}
