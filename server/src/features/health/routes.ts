import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Health, health } from '@parley/sdk/contract/health.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { isMigrated } from '../../db/migrate.ts'

export const handlers: Handlers<typeof health> = {
  async isAlive(ctx, { http }) {
    http.reply.header('cache-control', 'no-store')
    return healthOf(ctx)
  },

  async isReady(ctx, { http }) {
    http.reply.header('cache-control', 'no-store')
    if (ctx.lifecycle.leaving)
      throw new ApiError('unavailable', 'This instance is about to stop. Use another one.', { retryAfter: 5 })
    if (!(await isMigratedShared(ctx.db)))
      throw new ApiError('unavailable', 'The database is not migrated to this release yet.', {
        retryAfter: 5,
      })
    return healthOf(ctx)
  },
}

/** The service is ready also when the disk is full: readers must not be sent away. */
const healthOf = ({ disk }: Context): Health => ({ status: 'ok', ...(disk.isShort && { writes: 'refused' }) })

const underWay = new WeakMap<Context['db'], Promise<boolean>>()

/** Requests at the same time share one query, because there may be many of these requests. */
function isMigratedShared(db: Context['db']): Promise<boolean> {
  const check = underWay.get(db) ?? isMigrated(db).finally(() => underWay.delete(db))
  underWay.set(db, check)
  return check
}
