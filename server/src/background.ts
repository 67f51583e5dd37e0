import type { CronItem } from 'graphile-worker'
import { hour } from './lib/times.ts'
import type { Context } from './context.ts'
import type { Feature } from './feature.ts'
import { features } from './features/index.ts'
import type { Payloads, Tasks } from './jobs/tasks.ts'
import type { Reader } from './cluster/follow.ts'

const all: readonly Feature[] = features

/** Returns the readers of the log, which act on messages and posts that were stored. */
export const readers = (ctx: Context): Reader[] => all.flatMap((one) => one.readers?.(ctx) ?? [])

/** Begins the work that each instance does until it is disposed of. */
export const loops = (ctx: Context): (AsyncDisposable | undefined)[] =>
  all.flatMap((one) => one.loops?.(ctx) ?? [])

const chores = all.flatMap((one) => one.chores ?? [])

const ownTasks = {
  'forget-expired': ({ db, standing }) => Promise.all(chores.map((chore) => chore(db, standing))),
} satisfies Partial<Tasks<Context>>

type TaskOf<One> = One extends { tasks: infer Of } ? keyof Of : never
/** The tasks that no feature does. */
type Missing = Exclude<keyof Payloads, TaskOf<(typeof features)[number]> | keyof typeof ownTasks>

/** The work beside requests. Does not compile when a task is missing. */
export const tasks: [Missing] extends [never] ? Tasks<Context> : Missing = Object.assign(
  {},
  ownTasks,
  ...all.map((one) => one.tasks),
) as Tasks<Context>

/**
 * The work at set times (UTC), which one instance does; it is done later, within the backfill period, when none ran at that time.
 */
export const crontab: CronItem[] = [
  { task: 'forget-expired', match: '7 * * * *', options: { backfillPeriod: hour, jobKey: 'forget-expired' } },
  // A run ends before the next one begins (features/retention/tasks.ts).
  { task: 'delete-old-messages', match: '*/10 * * * *', options: { jobKey: 'delete-old-messages' } },
  // What is deleted is gone from the disk within a minute.
  { task: 'delete-blobs', match: '* * * * *', options: { jobKey: 'delete-blobs' } },
  { task: 'clean-index', match: '* * * * *', options: { jobKey: 'clean-index' } },
  { task: 'count-communities', match: '17 * * * *', options: { jobKey: 'count-communities' } },
  { task: 'sweep-files', match: '37 * * * *', options: { jobKey: 'sweep-files' } },
  { task: 'send-daily-summaries', match: '0 8 * * *', options: { backfillPeriod: 12 * hour } },
]
