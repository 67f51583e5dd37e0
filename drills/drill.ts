// This runs a drill, from its start to its closing line.

import os from 'node:os'
import type { ViolationKind } from './check/checker.ts'
import { CannotRun, openRun, type Run, type RunOptions } from './run.ts'

export interface Drill {
  name: string
  summary: string
  /** The seconds in which faults are caused unless the command line says otherwise. */
  seconds: number
  perform(run: Run): Promise<void>
}

export interface Outcome {
  /** 0 passed, 2 violation, 3 the drill itself failed or cannot run here. */
  code: 0 | 2 | 3
  line: string
}

export async function runDrill(drill: Drill, options: RunOptions): Promise<Outcome> {
  const title = `${drill.name} --seed ${options.seed}`
  let passed: Outcome | undefined
  try {
    await using run = await openRun(options)
    try {
      await drill.perform(run)
    } catch (error) {
      // A violation may make the drill itself fail; then the violation matters more than the failure.
      if (run.violations.length === 0) throw error
      options.log(String(error))
    }
    const kinds = new Set(run.violations.map(({ kind }) => kind))
    passed = { code: kinds.size === 0 ? 0 : 2, line: closingLine(title, run) }
  } catch (error) {
    const why =
      error instanceof CannotRun ? `NOT RUN, ${error.message}` : `THE DRILL FAILED, ${String(error)}`
    if (!(error instanceof CannotRun)) options.log((error as Error).stack ?? '')
    return passed ?? { code: 3, line: `${title}: ${why}` }
  }
  return passed
}

function closingLine(title: string, run: Run): string {
  const { acknowledged, marked, changed, lasted, failures } = run.figures()
  const count = (kind: ViolationKind) => run.violations.filter((violation) => violation.kind === kind).length
  const words: ViolationKind[] = ['lost', 'duplicated', 'out of order']
  const others: ViolationKind[] = ['phantom', 'gap', 'count', 'refused', 'slow', 'broken']
  const [p50, max] = [0.5, 1].map((share) => quantile(run.recoveries, share))
  const down = run.recoveries.reduce((sum, seconds) => sum + seconds, 0)
  const failed = Object.entries(failures).map(([name, times]) => `${times} × ${name}`)
  return [
    `${title}: ${run.violations.length === 0 ? 'PASS' : 'VIOLATION'}`,
    // Drills about people have no ledger.
    ...(lasted > 0
      ? [
          `${acknowledged} acknowledged in ${lasted.toFixed(0)} s (${(acknowledged / lasted).toFixed(0)}/s, ${(acknowledged / (lasted - down)).toFixed(0)}/s while up), ${marked} marked read${changed}`,
          words.map((kind) => `${count(kind)} ${kind}`).join(', '),
        ]
      : []),
    ...others.filter((kind) => count(kind) > 0).map((kind) => `${count(kind)} ${kind}`),
    ...(run.recoveries.length > 0
      ? [`${run.recoveries.length} faults, back after ${p50!.toFixed(2)} s (p50), ${max!.toFixed(2)} s (max)`]
      : []),
    ...run.notes,
    `attempts that failed: ${failed.join(', ') || 'none'}`,
    `load ${os.loadavg()[0]!.toFixed(1)} on ${os.availableParallelism()} cores`,
  ].join('; ')
}

/** Returns the value below which that share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
