// The days of a month as weeks, and where keys lead among them. A day is a date at noon, which no change of clocks moves to another.

const noon = (year: number, month: number, day: number) => new Date(year, month, day, 12)

export const dayOf = (at: Date): Date => noon(at.getFullYear(), at.getMonth(), at.getDate())

export const addDays = (day: Date, days: number): Date =>
  noon(day.getFullYear(), day.getMonth(), day.getDate() + days)

/** Returns the same day of another month, or the last one of a month that is shorter. */
export function addMonths(day: Date, months: number): Date {
  const [year, month] = [day.getFullYear(), day.getMonth() + months]
  const last = noon(year, month + 1, 0).getDate()
  return noon(year, month, Math.min(day.getDate(), last))
}

interface WithWeeks {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

/** Returns the first day of the week where the reader lives: 1 for Monday, 7 for Sunday. */
export function firstWeekday(): number {
  const locale = new Intl.Locale(navigator.language) as WithWeeks
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}

/** Returns how many days of its week are before a day. */
const inWeek = (day: Date, first: number): number => (day.getDay() - first + 7) % 7

/** Returns the weeks of the month of a day, with the days of other months in the first and the last one. */
export function weeksOf(day: Date, first: number): Date[][] {
  const begin = noon(day.getFullYear(), day.getMonth(), 1)
  const start = addDays(begin, -inWeek(begin, first))
  const count = Math.ceil((inWeek(begin, first) + addDays(addMonths(begin, 1), -1).getDate()) / 7)
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (__, n) => addDays(start, week * 7 + n)),
  )
}

/** Returns the day to which a key leads. */
export function movedBy(key: string, day: Date, first: number, withShift: boolean): Date | undefined {
  const months = withShift ? 12 : 1
  if (key === 'PageUp') return addMonths(day, -months)
  if (key === 'PageDown') return addMonths(day, months)
  const days = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -inWeek(day, first),
    End: 6 - inWeek(day, first),
  }[key]
  return days === undefined ? undefined : addDays(day, days)
}
