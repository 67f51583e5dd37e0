import type { blockedFiles } from '@parley/sdk/contract/blocked-files.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { inPortions } from '../../db/portions.ts'
import type { Feature } from '../../feature.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { block, findBlocked, takeBlockedFiles, unblock } from '../../messages/blocked-files.ts'

export const blockedFileHandlers: Handlers<typeof blockedFiles> = {
  async blockFile({ db, standing }, { caller, body: { sha256, reason } }) {
    const { file } = await db.transaction((tx) => block(tx, { operator: caller.address, sha256, reason }))
    // The job does this too, where this process ends now.
    await takeBlockedFiles(db, sha256, standing.subjectsOf('hold'))
    return [file]
  },

  async unblockFile({ db }, { caller, params: { sha256 }, query: { reason } }) {
    if (!(await db.transaction((tx) => unblock(tx, { operator: caller.address, sha256, reason }))))
      throw new ApiError('not_found', 'This file is not blocked.')
  },

  async listBlockedFiles({ db }, { query }) {
    return inPortions(db, query, { most: 100, read: findBlocked, after: ({ id }) => ({ before: id }) })
  },
}

export const tasks = {
  'take-blocked-file': ({ db, standing }, { sha256 }) =>
    takeBlockedFiles(db, sha256, standing.subjectsOf('hold')),
} satisfies Feature['tasks']
