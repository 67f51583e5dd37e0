import { randomBytes } from 'node:crypto'
import { type drafts, mostDrafts } from '@parley/sdk/contract/drafts.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { unseenProblem } from '@parley/sdk/unseen'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import * as store from './store.ts'

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
    const draft = await store.insertDraft(db, caller.address, { ...body, id, apiKey: caller.apiKey?.id })
    if (draft) return [draft]
    throw new ApiError(
      'conflict',
      `Your wallet may have ${mostDrafts} drafts, and has them. Send or discard one (DELETE /v1/drafts/{draft}) to make another.`,
    )
  },

  listDrafts: ({ db }, { caller }) => store.findDrafts(db, caller.address),

  async deleteDraft({ db }, { caller, params: { draft } }) {
    if (await store.deleteDraft(db, caller.address, draft)) return
    throw new ApiError('not_found', 'There is no such draft: it may be sent or discarded already.')
  },
}
