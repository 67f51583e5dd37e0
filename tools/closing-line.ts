import { writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends the test command with `N passed, N failed`. A test file that does not load counts as a failure. */
export default class ClosingLine implements Reporter {
  private line = ''

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) count[test.result().state]++
      if (module.errors().length > 0) count.failed++
    }
    const { passed, failed } = count
    const skipped = count.skipped + count.pending
    this.line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
    // At exit, so that it comes after the output of every other reporter.
    process.once('exit', () => writeSync(1, this.line))
  }
}
