// A channel is a way to notify a wallet that is away. channels.ts lists them all; the readers of the log, the decision and the
// jobs walk that list.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import type { Job } from '../../jobs/tasks.ts'
import type { Recipient } from '../../messages/notification-policy.ts'
import type { Push } from './push-content.ts'

/** The wallets that a channel reaches: those of a table with the column `walletaddr`, and a condition on its row `t`. */
interface Reach {
  walletsOf: string
  where?: string
}

/** The target of a notification: a browser, or a person's chat. */
export interface Target {
  /** The name of the target among those of its wallet. */
  id: string
}

/** The result of a notification, with the status that the server of the channel has returned, 0 for none. */
export interface Outcome {
  /** After `gone` the target is deleted: it refuses for good. `refused` is a fault of this service, and is logged. */
  outcome: 'sent' | 'gone' | 'refused' | 'too large' | 'later'
  status: number
  /** Seconds after which to retry, where the server said so; else the job is retried as all are. */
  retryAfter?: number
}

/** Notifies about each conversation and chat, some seconds after a message: notify.ts decides, by the rules for pushes. */
export interface InstantChannel<To extends Target = Target, Content = unknown> {
  pace: 'instant'
  name: string
  /** The name of the server that accepts its notifications, for the log. */
  server: string
  /** The job that sends it; another one waits for another server. */
  task?: 'mail-notification'
  reaches: Reach
  /** The most that it may show: `name` never shows the text of a message. */
  preview: 'name' | 'text'
  /** Returns the targets of a wallet; none where the operator has not set the channel up. */
  findTargets(ctx: Pick<Context, 'db' | 'config'>, wallet: string): Promise<To[]>
  build(config: Context['config'], push: Push, preview: NotificationRules['preview']): Content
  /** Sends it once, and stores what the channel needs from the response. */
  send(ctx: Pick<Context, 'db' | 'config' | 'log' | 'mailer'>, target: To, content: Content): Promise<Outcome>
  deleteTarget(db: Db, target: To): Promise<unknown>
  /** A server that accepts only a few messages at a time has this. */
  cost?: {
    /** Returns the name of a queue, of which only one job runs at a time, on all instances. */
    queueOf(target: To): string
    /** Returns when the target accepts the next one, in epoch milliseconds; 0 for now. */
    nextTurn(db: Db, target: To): Promise<number>
  }
}

/** Notifies about all messages of a wallet together, at a pace of its own. */
export interface DigestChannel<News = unknown> {
  pace: 'digest'
  name: string
  reaches: Reach
  /** The job that sends it, one at a time for a wallet. */
  task: 'send-dm-mail'
  /** Returns what it sends, counted as sent by this job; or when it may be sent; or undefined where there is nothing. */
  takeNews(ctx: Context, wallet: string, recipient: Recipient, job: Job): Promise<News | Date | undefined>
  /** Throws what it cannot send: the job is retried, or given up, and then the next one sends the same. */
  send(ctx: Context, wallet: string, news: News, job: Job): Promise<unknown>
  /** Notes that it was sent. */
  noteSent(db: Db, wallet: string, news: News): Promise<unknown>
}

export type Channel = InstantChannel | DigestChannel

/** Returns SQL for the rows of `from` whose wallet one of the channels reaches, each once. */
export const reachedBy = (
  channels: readonly Channel[],
  { columns, from, wallet }: { columns: string; from: string; wallet: string },
) =>
  channels
    .map(
      ({ reaches: { walletsOf, where = 'true' } }) =>
        `select distinct ${columns} from ${from} join ${walletsOf} t on t.walletaddr = ${wallet} and ${where}`,
    )
    .join(' union ')
