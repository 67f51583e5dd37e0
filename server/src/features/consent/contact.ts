// This module makes the contact that a wallet reads.

import type { Contact } from '@parley/sdk/contract/consent.ts'
import { forever } from '../../messages/shared-sql.ts'
import { parseTime } from '../../values/formats.ts'

export const states = ['unknown', 'accepted', 'ignored'] as const

/** The part of a contact that the row of the conversation has. */
export interface Stance {
  state: number
  blocked: boolean
}

/** The part that the contact's own row has. */
export interface Known {
  alias: string | null
  muted_until_ms: number | null
  since_ms: number | null
}

export const nothing = { alias: null, muted_until_ms: null, since_ms: null }

export function contactOf(peer: string, { state, blocked }: Stance, known: Known, now: number): Contact {
  const { alias, muted_until_ms: until, since_ms } = known
  return {
    peer,
    state: blocked ? 'blocked' : states[state]!,
    ...(alias !== null && { alias }),
    ...(until !== null && until > now && { muted_until: untilText(until) }),
    ...(since_ms !== null && { since: new Date(since_ms).toISOString() }),
  }
}

export const untilText = (ms: number) => (ms === forever ? 'forever' : new Date(ms).toISOString())

/** Returns null for a muting whose time is over. */
export function untilOf(text: string | null, now: number): number | null {
  if (text === null) return null
  const until = text === 'forever' ? forever : parseTime(text)!
  return until > now ? Math.floor(until) : null
}
