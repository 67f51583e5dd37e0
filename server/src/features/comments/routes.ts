import type { comments } from '@parley/sdk/contract/comments.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { isUint256 } from '../../values/formats.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof comments> = {
  async createComment({ db }, { body, publishing }) {
    return store.insertComment(db, { ...body, nftid: String(BigInt(body.nftid)) }, publishing)
  },

  async listComments({ db }, { caller, params, query }) {
    return store.findComments(db, requireToken(params), caller.address, query)
  },

  async countComments({ db }, { caller, params }) {
    return store.countComments(db, requireToken(params), caller.address)
  },

  async deleteComments({ db }, { params }) {
    await store.deleteComments(db, requireToken(params), params.fromaddr)
  },
}

/** Direct messages accept any text as a token id; comments are on tokens that a contract can have. */
function requireToken(token: store.Token): store.Token {
  if (!isUint256(token.nftid))
    throw badRequest([
      { pointer: '/path/nftid', detail: 'must be a token id: 0 to 2^256-1 in decimal digits' },
    ])
  return token
}
