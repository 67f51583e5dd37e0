import type { readState } from '@parley/sdk/contract/read-state.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof readState> = {
  async markReadTo(ctx, { caller, params: { addr }, body: { id, context_type, nftaddr, nftid } }) {
    if ((nftaddr === undefined) !== (nftid === undefined))
      throw badRequest([
        { pointer: '/body/nftid', detail: 'and nftaddr name an NFT together: send both, or none' },
      ])
    const { db } = ctx
    const reader = caller.address
    if (context_type !== 'dm') return store.readChatTo(db, reader, await requireChat(ctx, addr, reader), id)
    const context = nftaddr === undefined ? undefined : { nftaddr, nftid: nftid! }
    return store.readConversationTo(db, reader, addr, id, context)
  },
}
