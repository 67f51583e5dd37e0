import { day, hour } from './time.ts'

/** Returns true while a peer or a chat is muted, by the end of the mute. */
export const isMuted = (until: string | null | undefined, now = Date.now()): boolean =>
  until === 'forever' || (until !== undefined && until !== null && Date.parse(until) > now)

/** Something can be muted for one of these durations; no time is forever. */
export const durations = [
  { label: 'For 1 hour', lasts: hour },
  { label: 'For 8 hours', lasts: 8 * hour },
  { label: 'For 1 week', lasts: 7 * day },
  { label: 'Always', lasts: undefined },
]

export const untilOf = (lasts: number | undefined): string =>
  lasts === undefined ? 'forever' : new Date(Date.now() + lasts).toISOString()
