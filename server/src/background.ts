import { parseCronItems } from 'graphile-worker'
import { deleteOldRestrictions } from './messages/chat-rules.ts'
import { deleteGoneCopies } from './messages/copies-upkeep.ts'
import { deleteOldEvents } from './messages/events.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { deleteOldSignOuts } from './auth/sign-outs.ts'
import { deleteOldSanctions } from './auth/standing.ts'
import { undoKilledCut } from './db/cut.ts'
import type { Context } from './context.ts'
import { deleteOldFirstContacts } from './limits/first-contacts.ts'
import { deleteOldUsage } from './limits/usage.ts'
import { deleteDeadJobs, deleteEmptyQueues } from './jobs/queue.ts'
import type { Tasks } from './jobs/tasks.ts'
import type { Reader } from './live/follow.ts'
import { deleteExpiredDmMails } from './features/notifications/message-mails.ts'
import { deleteOldPushMarks } from './features/notifications/push-tasks.ts'
import { deleteOldCodes, deleteOldPace } from './features/notifications/telegram-store.ts'
import { chatReader } from './features/notifications/chat-reader.ts'
import { reader as messageReader } from './features/notifications/reader.ts'
import { webhookReader } from './features/webhooks/reader.ts'
import { answerTasks } from './features/webhooks/answer.ts'
import { resumeDeliveries, webhookTasks } from './features/webhooks/deliver.ts'
import { deleteOldDeliveries } from './features/webhooks/deliveries.ts'
import * as notifications from './features/notifications/tasks.ts'
import { deleteOldDrafts } from './features/drafts/store.ts'
import { deleteOldReports } from './features/reports/store.ts'
import * as retention from './features/retention/tasks.ts'
import { deleteExpiredQuotas } from './features/settings/quotas.ts'
import { deleteExpiredFailures } from './features/sign-in/failures.ts'
import { deleteIdleSessions } from './features/sign-in/sessions.ts'
import { deleteExpiredNonces } from './features/sign-in/store.ts'
import { deleteOldFacts } from './features/trust/store.ts'
import * as trust from './features/trust/tasks.ts'
import { deleteOldAccessNotices } from './messages/granting.ts'

/** What follows from messages and posts that were stored. */
export const readers = (ctx: Context): Reader[] => [messageReader, chatReader, webhookReader(ctx)]

/** Deletes what has expired, and what a command left behind that was killed. */
const chores = [
  deleteExpiredKeys,
  deleteExpiredNonces,
  deleteOldEvents,
  deleteExpiredFailures,
  deleteOldSignOuts,
  deleteOldSanctions,
  deleteOldRestrictions,
  deleteIdleSessions,
  deleteExpiredQuotas,
  deleteOldUsage,
  deleteOldFirstContacts,
  deleteExpiredDmMails,
  deleteOldPushMarks,
  deleteOldCodes,
  deleteOldPace,
  deleteOldDeliveries,
  resumeDeliveries,
  deleteOldFacts,
  deleteOldReports,
  deleteOldDrafts,
  deleteOldAccessNotices,
  deleteDeadJobs,
  deleteEmptyQueues,
  deleteGoneCopies,
  undoKilledCut,
]

/** The work beside requests. */
export const tasks: Tasks<Context> = {
  ...notifications.tasks,
  ...webhookTasks,
  ...answerTasks,
  ...trust.tasks,
  ...retention.tasks,
  'forget-expired': ({ db }) => Promise.all(chores.map((chore) => chore(db))),
}

const hour = 3_600_000

/**
 * The work at set times (UTC), done by one instance; later, within the backfill period, when none
 * ran at that time.
 */
export const crontab = parseCronItems([
  { task: 'forget-expired', match: '7 * * * *', options: { backfillPeriod: hour, jobKey: 'forget-expired' } },
  // A run ends before the next one begins (features/retention/tasks.ts).
  { task: 'delete-old-messages', match: '*/10 * * * *', options: { jobKey: 'delete-old-messages' } },
  { task: 'send-daily-summaries', match: '0 8 * * *', options: { backfillPeriod: 12 * hour } },
])
