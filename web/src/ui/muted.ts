/** Whether a peer or a chat is muted now, by the time until which it is. */
export const isMuted = (until: string | null | undefined, now = Date.now()): boolean =>
  until === 'forever' || (until !== undefined && until !== null && Date.parse(until) > now)

const hour = 3_600_000

/** For how long something can be muted; no time is for ever. */
export const durations = [
  { label: 'For 1 hour', lasts: hour },
  { label: 'For 8 hours', lasts: 8 * hour },
  { label: 'For 1 week', lasts: 168 * hour },
  { label: 'Always', lasts: undefined },
]

export const untilOf = (lasts: number | undefined): string =>
  lasts === undefined ? 'forever' : new Date(Date.now() + lasts).toISOString()
