import { writeSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Ends the test command with `N passed, N failed`. A test file that does not load counts as a failure. Before that line it names
 * each test that failed at first and passed when its file was run again (run-tests.ts), with what it failed on: a chance has a
 * cause.
 */
export default class ClosingLine implements Reporter {
  private readonly modules = new Map<string, TestModule>()
  private readonly causes = new Map<string, string>()
  private errors = 0

  onInit() {
    // It prints at exit, so that it comes after the output of every other reporter.
    process.once('exit', () => writeSync(1, this.lines()))
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    this.errors = errors.length
    for (const module of modules) {
      this.modules.set(module.moduleId, module)
      for (const test of module.children.allTests())
        if (test.result().state === 'failed') this.causes.set(test.id, causesOf(test))
    }
  }

  private lines(): string {
    const count = { passed: 0, failed: this.errors, skipped: 0, pending: 0 }
    let lines = ''
    for (const module of this.modules.values()) {
      if (module.errors().length > 0) count.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state]++
        const cause = state === 'passed' && this.causes.get(test.id)
        if (cause) lines += `Passed when run again: ${module.relativeModuleId} > ${test.fullName}\n${cause}`
      }
    }
    const { passed, failed } = count
    const skipped = count.skipped + count.pending
    return `${lines}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
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
