export const hour = 3_600_000
export const day = 24 * hour

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const fullDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0)
const daysAgo = (at: number, now: number) => Math.round((startOfDay(now) - startOfDay(at)) / day)

export const clock = (timestamp: string): string => time.format(Date.parse(timestamp))
export const shortDate = (timestamp: string): string => fullDate.format(Date.parse(timestamp))
export const shortTime = (timestamp: string): string => short.format(Date.parse(timestamp))
export const exactTime = (timestamp: string): string => exact.format(Date.parse(timestamp))
/** Returns the day, as in a sentence. */
export const longDate = (timestamp: string): string => fullDate.format(Date.parse(timestamp))
/** Returns a time of today as a clock shows it, an earlier one with its day. */
export const clockOrTime = (at: number): string => (daysAgo(at, Date.now()) === 0 ? time : short).format(at)
export const sameDay = (a: string, b: string): boolean =>
  startOfDay(Date.parse(a)) === startOfDay(Date.parse(b))

/** Returns a past time as lists show it: the time for today, then the weekday, the date. */
export function relativeTime(timestamp: string, now = Date.now()): string {
  const at = Date.parse(timestamp)
  if (Number.isNaN(at)) return ''
  const days = daysAgo(at, now)
  if (days === 0) return time.format(at)
  if (days === 1) return 'Yesterday'
  if (days < 7) return weekday.format(at)
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? date.format(at) : fullDate.format(at)
}

/** Returns the heading above the messages of a day. */
export function dayHeading(timestamp: string, now = Date.now()): string {
  const at = Date.parse(timestamp)
  const days = daysAgo(at, now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? longDay.format(at) : fullDate.format(at)
}
