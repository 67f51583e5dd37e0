import { randomBytes } from 'node:crypto'
import { type drafts, mostDraftBytes, mostDrafts } from '@parley/sdk/contract/drafts.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { unseenProblem } from '@parley/sdk/unseen.ts'
import type { CallerOf } from '../../auth/tokens.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import * as store from './store.ts'

/** A program sees what it has made, and not what a person or another program has. */
const askingOf = ({ address, apiKey }: CallerOf['wallet']) => ({ wallet: address, apiKey: apiKey?.id })

export const handlers: Handlers<typeof drafts> = {
  async createDraft({ db }, { caller, body }) {
    if ((body.toaddr === undefined) === (body.nftaddr === undefined))
      throw badRequest([
        {
          pointer: '/body/toaddr',
          detail: 'or else nftaddr is required, and not both: where the message would go',
        },
      ])
    // The person who sends it sees all that it has. What a person types is theirs.
    const unseen = caller.apiKey && unseenProblem(body.message)
    if (unseen)
      throw badRequest([
        {
          pointer: '/body/message',
          detail: `of a program must have no characters that a person does not see; ${unseen}`,
        },
      ])
    const id = randomBytes(16).toString('base64url')
    const draft = await store.insertDraft(db, askingOf(caller), { ...body, id })
    if (typeof draft === 'object') return [draft]
    throw new ApiError(
      'conflict',
      `${
        draft === 'number'
          ? `Your wallet may have ${mostDrafts} drafts, and has them.`
          : `The drafts of your wallet may have ${mostDraftBytes / 1024} KiB together, and with this one they would have more.`
      } Send or discard one (DELETE /v1/drafts/{draft}) to make another.`,
    )
  },

  async listDrafts({ db }, { caller }) {
    return store.findDrafts(db, askingOf(caller))
  },

  async deleteDraft({ db }, { caller, params: { draft } }) {
    if (await store.deleteDraft(db, askingOf(caller), draft)) return
    throw new ApiError(
      'not_found',
      caller.apiKey
        ? 'This API key has made no such draft: it may be sent or discarded already, or made by another program.'
        : 'There is no such draft: it may be sent or discarded already.',
    )
  },
}
