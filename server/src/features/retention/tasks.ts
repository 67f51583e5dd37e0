// This job deletes messages that are older than the retention time. One instance does so at a time, in portions: each is a
// transaction of one bucket that locks what it touches for a few milliseconds, and after each the job pauses for as long as it
// took. docs/moderation.md says what stays.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { delay } from '../../lib/abort.ts'
import { day } from '../../lib/times.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { allBuckets } from '../../values/bucket.ts'
import * as store from './store.ts'

/** The number of messages that are read at once, and that one transaction deletes. */
const pageSize = 2000
const portion = 250
/** The longest time of one run, in milliseconds: less than the time to the next one (background.ts). */
const longest = 480_000

type Ctx = Pick<Context, 'db' | 'config' | 'standing'>

export const tasks = {
  async 'delete-old-messages'(ctx, _payload, job) {
    const { retentionDays } = ctx.config
    const now = ctx.db.now()
    const end = AbortSignal.any([job.signal, AbortSignal.timeout(longest)])
    for (const { bucket, chat, days } of await store.findChats(ctx.db))
      await deletePosts(ctx, store.findOldestOf(bucket, chat), store.findOldestWithheldOf(bucket, chat), {
        before: now - days * day,
        end,
      })
    if (retentionDays === 0) return
    const before = now - retentionDays * day
    await deleteOld(ctx, { find: store.findOldest, remove: removeMessages, before, end })
    await deletePosts(ctx, store.findOldestPosts, store.findOldestWithheld, { before, end })
  },

  async 'forget-released'({ db }) {
    const held = await store.findHeld(db)
    for (const bucket of allBuckets) await store.deleteReleased(db, bucket, held)
  },
} satisfies Partial<Tasks<Ctx>>

type Find<Row> = (db: Db, after: number, limit: number) => Promise<Row[]>

/** Deletes posts, and those that only their authors see. */
async function deletePosts(
  ctx: Ctx,
  findShown: Find<store.OldPost>,
  findWithheld: Find<store.OldPost>,
  until: Pick<Sweep<store.OldPost>, 'before' | 'end'>,
): Promise<void> {
  await deleteOld(ctx, { find: findShown, remove: byChat(store.deletePosts), ...until })
  await deleteOld(ctx, { find: findWithheld, remove: byChat(store.deleteWithheld), ...until })
}

interface Sweep<Row> {
  find: Find<Row>
  remove: (ctx: Ctx, bucket: number, rows: Row[]) => Promise<void>
  /** Epoch milliseconds: older messages are deleted. */
  before: number
  end: AbortSignal
}

/**
 * Goes through messages in the order of ids, and ends where none of many is old. Times follow ids except for seconds, and except
 * for a clock that was wrong once: so it does not end at the first one that is not old.
 */
async function deleteOld<Row extends { bucket: number; id: number; ms: number }>(
  ctx: Ctx,
  { find, remove, before, end }: Sweep<Row>,
): Promise<void> {
  for (let after = 0; !end.aborted;) {
    const rows = await find(ctx.db, after, pageSize)
    const old = rows.filter(({ ms }) => ms < before)
    if (old.length === 0) return
    await store.forgetUpTo(ctx.db, old.at(-1)!.id)
    for (const [bucket, ofBucket] of Map.groupBy(old, (row) => row.bucket))
      for (let from = 0; from < ofBucket.length && !end.aborted; from += portion)
        await pacing(() => remove(ctx, bucket, ofBucket.slice(from, from + portion)))
    after = rows.at(-1)!.id
    if (rows.length < pageSize) return
  }
}

async function removeMessages({ db, standing }: Ctx, bucket: number, messages: store.OldMessage[]) {
  await store.deleteMessages(db, standing.subjectsOf('hold'), bucket, messages)
}

/** Deletes posts of one bucket, one chat after the other: up to the last one of each. */
const byChat =
  (remove: typeof store.deletePosts) =>
  async ({ db, standing }: Ctx, bucket: number, posts: store.OldPost[]) => {
    for (const [chat, ofChat] of Map.groupBy(posts, (post) => post.chat))
      await remove(db, standing.subjectsOf('hold'), bucket, { chat, upTo: ofChat.at(-1)!.id })
  }

/** Does a portion, and waits as long as it took. */
async function pacing(work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  await delay(performance.now() - began)
}
