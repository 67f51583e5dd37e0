// These are the jobs of instant channels. `notify` runs for a conversation or chat some seconds after a message, or for a message
// after a reaction: it decides, and adds a `send-notification` for each target of the wallet. Direct messages that fall into quiet hours cause one notification
// about everything unread, at their end.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue, enqueueEach } from '../../jobs/queue.ts'
import type { Job, Payloads, Subject, Tasks } from '../../jobs/tasks.ts'
import { day } from '../../lib/times.ts'
import { decide, everything } from '../../messages/notification-policy.ts'
import type { InstantChannel, Target } from './channel.ts'
import { announcePriority } from './announcement.ts'
import { announcementChannels, instantChannels } from './channels.ts'
import { deliver } from './deliver.ts'
import { findNews, type News } from './news.ts'
import { lockProgress, type Progress, setProgress } from './progress.ts'
import { recipientOf } from './rules.ts'

/** Milliseconds between two notifications about one conversation or chat. */
const pause = 30_000

/** Returns the name of a subject among those of a wallet: no address has a space. */
function keyOf(subject: Subject): string {
  if ('peer' in subject) return subject.peer
  if ('chat' in subject) return `chat ${subject.chat}`
  if ('announcement' in subject) return `announcement ${subject.of}`
  // Reactions in one conversation or chat cause one notification.
  return 'reaction' in subject ? `reaction ${keyOf(subject.to)}` : ''
}

const enqueueNotify = (tx: Db, walletaddr: string, subject: Subject, at: number) =>
  enqueue(
    tx,
    'notify',
    { walletaddr, subject },
    { runAt: new Date(at), key: `notify ${walletaddr} ${keyOf(subject)}` },
  )

/** Returns SQL that adds a `notify` at the time $2 for each `wallet` and `subject` of $1, a JSON list: peers, or chats. */
export const enqueueNotifyEach = (kind: 'peer' | 'chat', options: { priority?: number } = {}) =>
  enqueueEach(
    'notify',
    `json_build_object('walletaddr', wallet, 'subject', json_build_object('${kind}', subject))`,
    `'notify ' || wallet || ' ' || ${kind === 'chat' ? `'chat ' || ` : ''}subject`,
    'select distinct wallet, subject from json_to_recordset($1::json) as d (wallet text, subject text)',
    { runAt: '$2', ...options },
  )

export const notifyTasks: Pick<Tasks<Context>, 'notify' | 'send-notification' | 'mail-notification'> = {
  notify: (ctx, { walletaddr, subject }) =>
    'all' in subject ? notifyOfAll(ctx, walletaddr) : notifyOf(ctx, walletaddr, subject),
  'send-notification': sendNotification,
  'mail-notification': sendNotification,
}

async function sendNotification(ctx: Context, payload: Sending, job: Job): Promise<void> {
  const { walletaddr, subject, withoutText, since = job.createdAt.getTime() } = payload
  const channel = announcementChannels.find(({ name }) => name === payload.channel)
  const target = (await channel?.findTargets(ctx, walletaddr))?.find(({ id }) => id === payload.target)
  if (!channel || !target) return
  const send = (more: Partial<Sending>, at?: number) =>
    enqueueSending(ctx.db, channel, target, { ...payload, since, ...more }, at)
  await deliver(ctx, channel, {
    target,
    since,
    newsFor: 'announcement' in subject ? day : undefined,
    async content() {
      const recipient = await recipientOf(ctx, walletaddr)
      const isBrief = withoutText || channel.preview === 'name'
      const preview = isBrief && recipient.preview === 'text' ? 'name' : recipient.preview
      const news = await findNews(ctx, walletaddr, recipient, subject)
      // Quiet hours do not decide again about what they have held until their end.
      const by = 'all' in subject ? 'summary' : 'push'
      if (!news || decide(news.facts, recipient, by, ctx.db.now()).notify === 'never') return undefined
      const push = await news.push(preview)
      return push && channel.build(ctx.config, push, preview)
    },
    retry: (at) => send({}, at),
    shorten: withoutText ? undefined : () => send({ withoutText: true }),
  })
}

/** Notifies about what is new in a conversation or chat, or arranges that this is done later. */
async function notifyOf(ctx: Context, wallet: string, subject: Exclude<Subject, { all: true }>) {
  const { db } = ctx
  const recipient = await recipientOf(ctx, wallet)
  const news = await findNews(ctx, wallet, recipient, subject)
  if (!news) return
  const decision = decide(news.facts, recipient, 'push', db.now())
  if (decision.notify === 'never' && !news.count) return
  // At the end of quiet hours each chat causes a notification, as do reactions, and all conversations together cause one.
  if (decision.notify === 'later' && !('peer' in subject)) {
    await enqueueNotify(db, wallet, subject, decision.at)
    return
  }
  await db.transaction(async (tx) => {
    const progress = await lockProgress(tx, wallet, keyOf(subject))
    if (news.newest <= progress.id) return
    if (decision.notify === 'never') await news.count?.(tx, decision.because)
    else if (decision.notify === 'later') await enqueueNotify(tx, wallet, { all: true }, decision.at)
    else if (progress.ms + pause > tx.now()) {
      await enqueueNotify(tx, wallet, subject, progress.ms + pause)
      return
    } else await notifyNow(tx, ctx, wallet, subject, news)
    await setProgress(tx, wallet, keyOf(subject), news.newest)
  })
}

async function notifyNow(
  tx: Db,
  ctx: Context,
  wallet: string,
  subject: Subject,
  { newest, same, count }: News,
) {
  const known: Progress | undefined = same && (await lockProgress(tx, wallet, keyOf(same)))
  const isKnown = known !== undefined && known.id >= newest
  const sent = await enqueueSendings(tx, ctx, wallet, subject, isKnown)
  if (same && !isKnown) await setProgress(tx, wallet, keyOf(same), newest)
  await count?.(tx, sent > 0 || isKnown ? 'reached' : 'no_channel')
}

/** Notifies about all that quiet hours have held, also where the wallet by now drops what comes in them. */
async function notifyOfAll(ctx: Context, wallet: string) {
  const { db } = ctx
  const decision = decide(everything, await recipientOf(ctx, wallet), 'push', db.now())
  if (decision.notify === 'later') await enqueueNotify(db, wallet, { all: true }, decision.at)
  else if (decision.notify === 'now' || decision.because === 'quiet hours')
    await enqueueSendings(db, ctx, wallet, { all: true })
}

/** Adds a job for each target of a wallet, and returns their number. Where `isKnown`, the instant channels have notified already. */
async function enqueueSendings(
  tx: Db,
  { config }: Context,
  walletaddr: string,
  subject: Subject,
  isKnown = false,
): Promise<number> {
  let sent = 0
  const channels = 'announcement' in subject ? announcementChannels : instantChannels
  for (const channel of channels.filter((one) => !isKnown || !instantChannels.includes(one)))
    for (const target of await channel.findTargets({ db: tx, config }, walletaddr)) {
      const payload = { channel: channel.name, walletaddr, target: target.id, subject }
      await enqueueSending(tx, channel, target, payload)
      sent++
    }
  return sent
}

type Sending = Payloads['send-notification']

function enqueueSending(
  tx: Db,
  { cost, task }: InstantChannel,
  target: Target,
  payload: Sending,
  at?: number,
) {
  const { channel, walletaddr, target: id, subject } = payload
  return enqueue(tx, task ?? 'send-notification', payload, {
    key: `send-notification ${channel} ${walletaddr} ${id} ${keyOf(subject)}`,
    ...('announcement' in subject && { priority: announcePriority.notification }),
    ...(cost && { queue: cost.queueOf(target) }),
    ...(at !== undefined && { runAt: new Date(at) }),
  })
}
