import { tasks } from '../../server/src/features/retention/tasks.ts'
import { day } from '../../server/src/lib/times.ts'
import { type Service } from './service.ts'
import { publishingByAdmin } from '../../server/src/auth/publishing.ts'
import { insertCommunity } from '../../server/src/features/communities/store.ts'
import { updateName } from '../../server/src/features/names/store.ts'
import { type Context } from '../../server/src/context.ts'

/** Deletes what was written before a time, as the job does it a day later on a service that stores messages for a day. */
export async function expireBefore({ ctx }: Service, time: string | number): Promise<void> {
  const now = new Date(time).getTime() + day
  const config = { ...ctx.config, retentionDays: 1 }
  await tasks['delete-old-messages'](
    { ...ctx, config, db: { ...ctx.db, now: () => now } },
    {},
    { id: '1', createdAt: new Date(), signal: new AbortController().signal },
  )
}

/** Deletes what was stored for holds that have ended. */
export const forgetReleased = ({ ctx }: Service) => tasks['forget-released'](ctx)

// These functions store names that the rule for names refuses, as another release or the operator may have stored them.

export const storeName = ({ db }: Context, address: string, name: string): Promise<number> =>
  updateName(db, publishingByAdmin, {
    address,
    name: { name, folded: name.toLowerCase(), skeletons: [name.toLowerCase()], onChain: false },
  })

export const storeCommunity = async ({ db }: Context, creator: string, community: string): Promise<void> => {
  const rule = { skeletons: [community.toLowerCase()], aDay: undefined, inAll: 1000 }
  await insertCommunity(db, publishingByAdmin, creator, { community, social: [] }, rule)
}

/** Does the work of notifications that would wait some seconds. */
export async function workOnNotifications({ ctx, runJobs }: Service): Promise<void> {
  const sooner = `update graphile_worker._private_jobs set run_at = $1 where key like 'notify %' or key like 'announce %'`
  await ctx.db.query(sooner, [new Date()])
  await runJobs()
}
