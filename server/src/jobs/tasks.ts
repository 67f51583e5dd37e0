// Lists the tasks of the service: what a job may be, and what its payload holds. A payload names what to look up; it holds no
// secret, and nothing that may have changed when the job's turn comes.

/** Names the conversation or the chat of a notification. */
type Place = { peer: string } | { chat: string }

/** Names a post that was announced, and its chat. */
export interface AnnouncedPost {
  announcement: number
  of: string
}

/**
 * Says what a notification is about: a conversation, a chat, reactions to a message in one of them, an announcement, or all news
 * together.
 */
export type Subject = Place | { reaction: number; to: Place } | AnnouncedPost | { all: true }

interface Sending {
  /** This is the name of the channel, and the id of the target among those of the wallet. */
  channel: string
  walletaddr: string
  target: string
  subject: Subject
  withoutText?: true
  /** It was first due at this time, in epoch milliseconds. */
  since?: number
}

export interface Payloads {
  'send-verification-email': { walletaddr: string; verification_id: string }
  'send-dm-mail': { toaddr: string }
  'deliver-webhook': { walletaddr: string; hook: string }
  'deliver-slow-webhook': { walletaddr: string; hook: string }
  'post-answer': { walletaddr: string; hook: string; id: number }
  'send-access-mail': { walletaddr: string }
  /** The address was confirmed until it was replaced or removed. */
  'send-last-mail': { walletaddr: string; email: string }
  'send-webhook-mail': { walletaddr: string; url: string }
  notify: { walletaddr: string; subject: Subject }
  'send-notification': Sending
  /** The same, by a channel that waits for the mail server. */
  'mail-notification': Sending
  /** Notifies the next ones of those who agreed to announcements. */
  announce: AnnouncedPost
  'answer-telegram': { chat_id: number; say: 'linked' | 'stopped' | 'no-code' | 'help'; since?: number }
  'send-daily-summaries': { _cron?: { ts: string } }
  'send-daily-summary': { walletaddr: string }
  /** What the wallet has requested to know about a peer. */
  'read-chain-facts': { walletaddr: string; peer: string; about: string[] }
  /** The wallet sees these others, whose names in ENS are not known. */
  'read-chain-names': { walletaddr: string; addresses: string[] }
  'forget-expired': object
  'delete-old-messages': object
  'forget-released': object
  'take-blocked-file': { sha256: string }
  'delete-blobs': object
  'sweep-files': object
  'scan-file': { file: string }
  'clean-index': object
  'count-communities': object
}

/**
 * A lane says what a task waits for. Each lane has its own workers (runner.ts), so a slow task delays no other lane:
 *
 *   inside    nothing but the database and the store of files, for seconds at most
 *   upkeep    nothing but these, for minutes
 *   mail      the mail server of the operator
 *   scan      the scanner of the operator
 *   push      push services, and Telegram
 *   webhook   servers that wallets choose
 *   slow      the same, for wallets whose servers have responded late
 *   chain     nodes of chains
 */
export type Lane = 'inside' | 'upkeep' | 'mail' | 'scan' | 'push' | 'webhook' | 'slow' | 'chain'

/**
 * In these lanes one job of a wallet runs at a time, so a wallet whose jobs wait takes one place from others. Two lanes with one
 * queue have one job of a wallet together.
 */
export const queues: { readonly [Name in Lane]?: string } = {
  push: 'push',
  webhook: 'webhook',
  slow: 'webhook',
  chain: 'chain',
}

/** Their queues are made of the wallet that a payload names. Replies to Telegram chats, in `push`, have queues of their own. */
type Lanes = {
  readonly [Name in keyof Payloads]: Payloads[Name] extends { walletaddr: string }
    ? Lane
    : Exclude<Lane, 'webhook' | 'slow' | 'chain'>
}

/** This has the lane of each task. */
export const lanes: Lanes = {
  'send-verification-email': 'mail',
  'send-dm-mail': 'mail',
  'send-access-mail': 'mail',
  'send-last-mail': 'mail',
  'deliver-webhook': 'webhook',
  'deliver-slow-webhook': 'slow',
  'post-answer': 'webhook',
  'send-webhook-mail': 'mail',
  notify: 'inside',
  'send-notification': 'push',
  'mail-notification': 'mail',
  announce: 'inside',
  'answer-telegram': 'push',
  'send-daily-summaries': 'upkeep',
  'send-daily-summary': 'mail',
  'read-chain-facts': 'chain',
  'read-chain-names': 'chain',
  'forget-expired': 'upkeep',
  'delete-old-messages': 'upkeep',
  'forget-released': 'upkeep',
  'take-blocked-file': 'upkeep',
  'delete-blobs': 'inside',
  'sweep-files': 'upkeep',
  'scan-file': 'scan',
  'clean-index': 'inside',
  'count-communities': 'upkeep',
}

export interface Job {
  /** The id is the same at every attempt. */
  id: string
  createdAt: Date
  /** This is aborted when the service stops: give up then, the job is retried. */
  signal: AbortSignal
}

/** This has a function for each task. It gets the context of the service, and may be called twice for the same job. */
export type Tasks<Ctx> = {
  [Name in keyof Payloads]: (ctx: Ctx, payload: Payloads[Name], job: Job) => Promise<unknown>
}
