import { type drafts, mostDraftBytes, mostDrafts } from '@parley/sdk/contract/drafts.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { CallerOf } from '../../auth/tokens.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import * as store from './store.ts'

/** A program sees what it has made, and not what a person or another program has. */
const askingOf = ({ address, apiKey }: CallerOf['wallet']) => ({ wallet: address, apiKey: apiKey?.id })

export const handlers: Handlers<typeof drafts> = {
  async createDraft({ db }, { caller, body, full }) {
    if ((body.toaddr === undefined) === (body.nftaddr === undefined))
      throw badRequest([
        {
          pointer: '/body/toaddr',
          detail: 'or else nftaddr is required, and not both: where the message would go',
        },
      ])
    const id = newId()
    const draft = await store.insertDraft(db, askingOf(caller), { ...body, id })
    if (typeof draft === 'object') return [draft]
    throw full(
      draft === 'number' ? mostDrafts : `${mostDraftBytes / 1024} KiB of drafts`,
      'Send or discard one first (DELETE /v1/drafts/{draft}).',
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
