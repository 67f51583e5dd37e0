// Rows of the log are folded for reading: opening a report is part of the operator's decision about it.

import type { LogEntry } from '@parley/sdk'

export interface Folded extends LogEntry {
  /** The operator first opened the answered reports at this time. */
  openedAt?: string
}

/** Returns the latest first, as the service lists them. A report that was opened and not decided stays a row. */
export function fold(entries: LogEntry[]): Folded[] {
  const rows: Folded[] = []
  for (const entry of entries) {
    const decision =
      entry.action === 'view' &&
      rows.findLast(
        ({ action, operator, subject, reports }) =>
          action !== 'view' &&
          operator === entry.operator &&
          subject === entry.subject &&
          entry.reports.every((id) => reports.includes(id)),
      )
    if (decision) decision.openedAt = entry.at
    else rows.push({ ...entry })
  }
  return rows
}
