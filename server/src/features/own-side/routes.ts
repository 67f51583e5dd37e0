import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { ownSide } from '@parley/sdk/contract/own-side.ts'
import type { Handlers } from '../../http/endpoint.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof ownSide> = {
  async hideMessage({ db, standing }, { caller, params }) {
    const found = await store.hideMessage(db, standing.subjectsOf('hold'), caller.address, Number(params.id))
    if (!found) throw new ApiError('not_found', 'You have sent or received no such message.')
  },

  async hideConversation({ db, standing }, { caller, params: { toaddr } }) {
    await store.hideConversation(db, standing.subjectsOf('hold'), caller.address, toaddr)
  },

  async getConversation({ db, bots }, { caller, params: { toaddr } }) {
    const wallet = caller.address
    const [known, pinned, isBot] = await Promise.all([
      store.getConversation(db, wallet, toaddr),
      store.hasPins(db, wallet, toaddr),
      bots.isBot(toaddr),
    ])
    return {
      ...known,
      ...(pinned && { pinned: true as const }),
      ...(isBot && { is_bot: true as const }),
    }
  },
}
