import { type comments, mostCommentsForAnyone } from '@parley/sdk/contract/comments.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { isUint256 } from '../../values/formats.ts'
import * as store from './store.ts'

/** Nobody has this address: who reads without a sign-in sees what all see. */
const nobody = ''

export const handlers: Handlers<typeof comments> = {
  async createComment({ db }, { body, publishing }) {
    return store.insertComment(db, { ...body, nftid: String(BigInt(body.nftid)) }, publishing)
  },

  async listComments({ db }, { caller, params, query }) {
    const token = requireToken(params)
    if (caller) return store.findComments(db, token, caller.address, query)
    const limit = Math.min(query.limit ?? mostCommentsForAnyone, mostCommentsForAnyone)
    return store.findComments(db, token, nobody, { ...query, limit })
  },

  async countComments({ db }, { caller, params }) {
    return store.countComments(db, requireToken(params), caller?.address ?? nobody)
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
