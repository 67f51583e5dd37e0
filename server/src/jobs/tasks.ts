// The tasks of the service: what a job may be, and what its payload holds. A payload names what to
// look up; it holds no secret, and nothing that may have changed when the job's turn comes.

export interface Payloads {
  'send-verification-email': { walletaddr: string; verification_id: string }
  'send-dm-mail': { toaddr: string }
  'deliver-webhook': { walletaddr: string; hook: string }
  'post-answer': { walletaddr: string; hook: string; id: number }
  'send-access-mail': { walletaddr: string }
  'send-webhook-mail': { walletaddr: string; url: string }
  'tell-message': { toaddr: string; fromaddr: string }
  'tell-post': { walletaddr: string; chat: string }
  'tell-held': { walletaddr: string }
  'send-push': {
    walletaddr: string
    subscription: string
    /** A peer, or null for all together. */
    about: string | null
    /** Instead, a chat. */
    chat?: string
    small?: true
    /** When it was sent first, in epoch milliseconds. */
    since?: number
  }
  'send-telegram': {
    walletaddr: string
    /** As in `send-push`. */
    about: string | null
    chat?: string
    since?: number
  }
  'answer-telegram': { chat_id: number; say: 'linked' | 'stopped' | 'no-code' | 'help'; since?: number }
  'send-daily-summaries': { _cron?: { ts: string } }
  'send-daily-summary': { walletaddr: string }
  'read-chain-facts': { walletaddr: string; about: string[] }
  'forget-expired': object
  'delete-old-messages': object
  'forget-released': object
}

/**
 * What a task waits for. Each lane has workers of its own (runner.ts), so what is slow in one delays none of another:
 *
 *   inside    nothing but the database, for seconds at most
 *   upkeep    nothing but the database, for minutes
 *   mail      the mail server of the operator
 *   push      push services, and Telegram
 *   webhook   servers that wallets choose. A wallet has one job at a time there (queue.ts)
 *   chain     nodes of chains
 */
export type Lane = 'inside' | 'upkeep' | 'mail' | 'push' | 'webhook' | 'chain'

/** The lane `webhook` takes only tasks whose payload names the wallet, since its queues are made of that. */
type Lanes = {
  readonly [Name in keyof Payloads]: Payloads[Name] extends { walletaddr: string }
    ? Lane
    : Exclude<Lane, 'webhook'>
}

/** The lane of each task. */
export const lanes: Lanes = {
  'send-verification-email': 'mail',
  'send-dm-mail': 'mail',
  'send-access-mail': 'mail',
  'deliver-webhook': 'webhook',
  'post-answer': 'webhook',
  'send-webhook-mail': 'mail',
  'tell-message': 'inside',
  'tell-post': 'inside',
  'tell-held': 'inside',
  'send-push': 'push',
  'send-telegram': 'push',
  'answer-telegram': 'push',
  'send-daily-summaries': 'upkeep',
  'send-daily-summary': 'mail',
  'read-chain-facts': 'chain',
  'forget-expired': 'upkeep',
  'delete-old-messages': 'upkeep',
  'forget-released': 'upkeep',
}

export interface Job {
  /** The same at every attempt. */
  id: string
  createdAt: Date
  /** Aborted when the service stops: give up then, the job is tried again. */
  signal: AbortSignal
}

/**
 * A function for each task. It is given what the service consists of, and may be called twice for
 * the same job.
 */
export type Tasks<Ctx> = {
  [Name in keyof Payloads]: (ctx: Ctx, payload: Payloads[Name], job: Job) => Promise<unknown>
}
