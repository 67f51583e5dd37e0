// These are the jobs of digest channels.

import type { Context } from '../../context.ts'
import { enqueue, enqueueEach } from '../../jobs/queue.ts'
import type { Job } from '../../jobs/tasks.ts'
import type { DigestChannel } from './channel.ts'
import { recipientOf } from './rules.ts'

/** Returns SQL that adds the job of a channel for each wallet of $1. */
export const enqueueDigests = ({ task }: DigestChannel) =>
  enqueueEach(
    task,
    `json_build_object('toaddr', toaddr)`,
    `'${task} ' || toaddr`,
    'select toaddr from unnest($1::text[]) as d (toaddr)',
  )

/** Sends what is new, or arranges that this is done later. */
export async function sendDigest<News>(
  ctx: Context,
  channel: DigestChannel<News>,
  toaddr: string,
  job: Job,
): Promise<void> {
  const { db } = ctx
  const { task } = channel
  const news = await channel.takeNews(ctx, toaddr, await recipientOf(ctx, toaddr), job)
  if (news === undefined) return
  if (news instanceof Date) {
    await enqueue(db, task, { toaddr }, { runAt: news, key: `${task} ${toaddr}` })
    return
  }
  await channel.send(ctx, toaddr, news, job)
  await channel.noteSent(db, toaddr, news)
}
