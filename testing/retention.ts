import { tasks } from '../server/src/features/retention/tasks.ts'
import { day } from '../server/src/lib/times.ts'
import type { Service } from './service.ts'

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
