import { parseCronItems } from 'graphile-worker'
import { deleteOldEvents } from './core/event-log.ts'
import { deleteExpiredKeys } from './core/idempotency.ts'
import { deleteOldSignOuts } from './core/sign-outs.ts'
import type { Context } from './core/context.ts'
import type { Tasks } from './core/job-runner.ts'
import { deleteDeadJobs } from './core/jobs.ts'
import { deleteExpiredTurns } from './notifications/store.ts'
import * as notifications from './notifications/tasks.ts'
import { deleteExpiredQuotas } from './settings/quotas.ts'
import { deleteExpiredFailures } from './sign-in/failures.ts'
import { deleteExpiredNonces } from './sign-in/store.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'forget-expired': object
    }
  }
}

/** What is forgotten when its time is over. */
const chores = [
  deleteExpiredKeys,
  deleteExpiredNonces,
  deleteOldEvents,
  deleteExpiredFailures,
  deleteOldSignOuts,
  deleteExpiredQuotas,
  deleteExpiredTurns,
  deleteDeadJobs,
]

/** What is done beside requests. */
export const tasks: Tasks<Context> = {
  ...notifications.tasks,
  'forget-expired': ({ db }) => Promise.all(chores.map((chore) => chore(db))),
}

const hour = 3_600_000

/** What is done at set times (UTC), by one instance; and afterwards, when none ran at that time. */
export const crontab = parseCronItems([
  { task: 'forget-expired', match: '7 * * * *', options: { backfillPeriod: hour, jobKey: 'forget-expired' } },
  { task: 'send-daily-summaries', match: '0 8 * * *', options: { backfillPeriod: 12 * hour } },
])
