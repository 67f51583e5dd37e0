import type { Violation } from './checker.ts'

export type Findings = ReturnType<typeof openFindings>

/** Collects the findings of a run. The first 20 violations are logged at once. */
export function openFindings(log: (line: string) => void) {
  const violations: Violation[] = []
  const notes: string[] = []
  return {
    violations,
    /** Further figures for the closing line. */
    notes,
    /** Seconds from each fault until the service was back. */
    recoveries: new Array<number>(),
    report: (violation: Violation) => {
      violations.push(violation)
      if (violations.length <= 20) log(`VIOLATION ${violation.kind}: ${violation.detail}`)
    },
    /** Adds a figure to the closing line. */
    note: (figure: string) => void notes.push(figure),
  }
}
