import { writeSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Ends the test command with `N passed, N failed`. A test file that does not load counts as a failure. Before that line it names
 * each test that failed at first and passed in the retry, with what it failed on: a chance has a cause.
 */
export default class ClosingLine implements Reporter {
  private lines = ''

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        if (test.diagnostic()?.flaky)
          this.lines += `Passed when tried again: ${module.relativeModuleId} > ${test.fullName}\n${causesOf(test)}`
      }
    }
    const { passed, failed } = count
    const skipped = count.skipped + count.pending
    this.lines += `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
    // It prints at exit, so that it comes after the output of every other reporter.
    process.once('exit', () => writeSync(1, this.lines))
  }
}

/** Says what each failed try failed on, and where in the tests. The error of a property has its seed, an example and a cause. */
const causesOf = (test: TestCase): string =>
  (test.result().errors ?? [])
    .map(({ message, stacks = [], cause }) => {
      const places = stacks.slice(0, 3).map(({ file, line }) => `${file}:${line}`)
      const because = cause && messageOf(cause).split('\n', 1)
      const lines = [...message.split('\n').slice(0, because ? 3 : 1), ...(because ?? [])]
      const said = lines.map((line) => `    ${line.slice(0, 300)}`).join('\n')
      return `${said}${places.length > 0 ? ` (${places.join(' from ')})` : ''}\n`
    })
    .join('')

/** A cause may be no error, such as a text. */
const messageOf = (cause: { message?: string }): string => cause.message ?? JSON.stringify(cause)
