import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'

type Hours = Pick<NotificationRules, 'quiet' | 'tz'>

/** Returns true when this machine knows the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.instant().toZonedDateTimeISO(name)
    // An offset such as +01:00 would not follow summer time.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/**
 * Returns when the quiet hours around `now` end (epoch milliseconds); undefined outside of them. Quiet hours that follow each
 * other without a gap count as one. Times are those of the person's clock, also when summer time begins or ends.
 */
export function endOfQuiet(hours: Hours, now: number): number | undefined {
  let end: number | undefined
  // Each round ends later than the one before; a week that is quiet as a whole ends at some time.
  for (let round = 0; round < hours.quiet.length * 7; round++) {
    const next = endOfOne(hours, end ?? now)
    if (next === undefined) break
    end = next
  }
  return end
}

function endOfOne({ quiet, tz }: Hours, now: number): number | undefined {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(tz).toPlainDate()
  const ends = quiet.flatMap(({ days, from, to }) =>
    [today, today.subtract({ days: 1 })]
      .filter((day) => days.includes(day.dayOfWeek))
      .map((day) => [at(day, from, tz), at(to > from ? day : day.add({ days: 1 }), to, tz)] as const)
      .filter(([begin, end]) => begin <= now && now < end)
      .map(([, end]) => end),
  )
  return ends.length === 0 ? undefined : Math.max(...ends)
}

const at = (day: Temporal.PlainDate, time: string, timeZone: string) =>
  day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds
