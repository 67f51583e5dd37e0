import { Readable } from 'node:stream'
import type { account } from '@parley/sdk/contract/account.ts'
import type { Feature } from '../../feature.ts'
import { erasureHash } from '../../limits/daily-usage.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { eraseWallet } from './erase.ts'
import { exportWallet } from './export.ts'

export const handlers = (all: () => readonly Feature[]): Handlers<typeof account> => ({
  async exportAccount(ctx, { params: { address }, http: { request, reply } }) {
    const { long } = ctx.limits.shareOf(request, reply)
    const archive =
      request.method === 'HEAD' ? Readable.from([]) : await exportWallet(all(), { ...ctx, db: long }, address)
    const name = `parley-${address.replace(/[^\w.-]/g, '_')}.zip`
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return archive
  },

  async eraseAccount(ctx, { params: { address } }) {
    const { db, config, grants, quotas, bots, standing } = ctx
    const hash = erasureHash(config.jwtSecret, address)
    await quotas.erase(address, () => eraseWallet(all(), db, address, hash, standing.subjectsOf('hold')))
    // This comes last, so that a wallet that is cut off in the middle of it may do it again.
    await grants.endAll(address)
    await bots.unmark(address)
  },
})
