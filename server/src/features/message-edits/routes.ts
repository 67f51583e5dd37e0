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
import * as store from './store.ts'

const refusals: Record<string, string> = {
  'too-late': `Messages can be edited for ${editableHours} hours. Send a new one.`,
  'too-many': `A message can be edited ${mostEdits} times. Send a new one.`,
  written: 'A text is replaced in the two minutes after it was sent. Edit it, without writing.',
  sealed: 'This message is encrypted, and its edit must be too: send encrypted_sym_x_key.',
  pending:
    'The other wallet has not answered yet: your messages have 16 KiB together at most until then. Make it shorter.',
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
    const refused = await store.edit(ctx.db, place, { ...body, id, wallet, isUnseen: publishing.isUnseen })
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
    if (refused !== null && refused !== 'same')
      throw refusedChange(refused, place.kind === 'conversation' ? place.peer : place.nftaddr)
    return [item]
  },

  async listEdits(ctx, { caller: { address: wallet }, params }) {
    const id = Number(params.id)
    const versions = await store.listEdits(ctx.db, await requirePlace(ctx, wallet, id), wallet, id)
    return new JsonList(versions.map((one) => pageOf([one])))
  },
}
