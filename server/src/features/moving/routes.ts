import { Readable } from 'node:stream'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mostAskedImported, mostClaims, type moving } from '@parley/sdk/contract/moving.ts'
import { readAddresses } from '../../http/addresses.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { findClaims, findOwnClaims } from '../../messages/imported-claims.ts'
import { archiveOf } from './archive.ts'
import { countExport, findOwnChats } from './own-chats.ts'
import * as store from './store.ts'
import { countWrong, requireTries } from './wrong-codes.ts'

// It is the same for all, so that nobody learns which codes there were.
const wrongCode = () =>
  new ApiError(
    'not_found',
    'This code is wrong, was used already, or has expired. Ask the administrator for another one.',
  )

const taken = () =>
  new ApiError(
    'conflict',
    'Another wallet has taken over this name meanwhile. Ask the administrator: they can take it back.',
  )

export const handlers: Handlers<typeof moving> = {
  async claimImported(ctx, { caller: { address: wallet }, body: { code }, publishing, full }) {
    await requireTries(ctx, wallet)
    const claimed = await store.claim(ctx.db, { code, wallet, isUnseen: publishing.isUnseen })
    if (claimed === 'wrong') {
      await countWrong(ctx, wallet)
      throw wrongCode()
    }
    if (claimed === 'taken') throw taken()
    if (claimed === 'number') throw full(mostClaims, 'Say of one that it is not you, then try again.')
    return findClaims(ctx.db, [claimed.address], wallet)
  },

  async listOwnImported({ db }, { caller }) {
    return findOwnClaims(db, caller.address)
  },

  async releaseImported({ db }, { caller, params }) {
    const gone = await db.transaction((tx) => store.release(tx, params.imported, caller.address))
    if (gone === undefined) throw new ApiError('not_found', 'You have not taken over this name.')
  },

  async listImportedClaims({ db }, { caller, query: { addresses } }) {
    return findClaims(db, readAddresses(addresses, mostAskedImported), caller.address)
  },

  async exportChat(ctx, { caller: { address: wallet }, params: { nftaddr }, http: { request, reply } }) {
    const chats = await findOwnChats(ctx, nftaddr, wallet)
    reply.header('content-disposition', 'attachment; filename="chat.zip"')
    if (request.method === 'HEAD') return Readable.from([])
    await countExport(ctx, chats[0]!.chat)
    return archiveOf({ db: ctx.limits.shareOf(request, reply).long, fileStore: ctx.fileStore, chats })
  },
}
