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
