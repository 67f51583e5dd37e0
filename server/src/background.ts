import { parseCronItems } from 'graphile-worker'
import { deleteOldEvents } from './messages/events.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { deleteOldSignOuts } from './auth/sign-outs.ts'
import { undoKilledCut } from './db/cut.ts'
import type { Context } from './context.ts'
import { deleteOldUsage } from './limits/usage.ts'
import { deleteDeadJobs } from './jobs/queue.ts'
import type { Tasks } from './jobs/tasks.ts'
import { deleteExpiredDmMails } from './features/notifications/message-mails.ts'
import * as notifications from './features/notifications/tasks.ts'
import { deleteExpiredQuotas } from './features/settings/quotas.ts'
import { deleteExpiredFailures } from './features/sign-in/failures.ts'
import { deleteIdleSessions } from './features/sign-in/sessions.ts'
import { deleteExpiredNonces } from './features/sign-in/store.ts'

/** Deletes what has expired, and what a command left behind that was killed. */
const chores = [
  deleteExpiredKeys,
  deleteExpiredNonces,
  deleteOldEvents,
  deleteExpiredFailures,
  deleteOldSignOuts,
  deleteIdleSessions,
  deleteExpiredQuotas,
  deleteOldUsage,
  deleteExpiredDmMails,
  deleteDeadJobs,
  undoKilledCut,
]

/** The work beside requests. */
export const tasks: Tasks<Context> = {
  ...notifications.tasks,
  'forget-expired': ({ db }) => Promise.all(chores.map((chore) => chore(db))),
}

const hour = 3_600_000

/**
 * The work at set times (UTC), done by one instance; later, within the backfill period, when none
 * ran at that time.
 */
export const crontab = parseCronItems([
  { task: 'forget-expired', match: '7 * * * *', options: { backfillPeriod: hour, jobKey: 'forget-expired' } },
  { task: 'send-daily-summaries', match: '0 8 * * *', options: { backfillPeriod: 12 * hour } },
])
