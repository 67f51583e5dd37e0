import type { CallOptions, Client } from '../client.ts'
import type { Journal } from './journal.ts'

/** What an agent acts with. */
export interface Acting {
  parley: Client
  /** The wallet, and what the key may do. */
  wallet: { address: string; scopes: readonly string[]; name?: string | undefined; isBot?: boolean }
  journal: Journal
  signal: AbortSignal
}

/** Options for a call of the agent: retried until there is a response, or the agent ends. */
export const untilAnswered = (signal: AbortSignal): CallOptions => ({
  signal,
  retry: { attempts: Infinity, longestWait: Infinity },
})
