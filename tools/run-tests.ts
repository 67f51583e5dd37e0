// The test command: `vitest run`, with its arguments. In continuous integration the files of tests that failed run once more at the
// end, from their beginning: what a failed test has left, such as a name that is taken, would fail a second try beside it.

import { createVitest, parseCLI } from 'vitest/node'

/** More files than these do not fail by chance. */
const mostFiles = 5

process.env.NODE_ENV ??= 'test'
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const vitest = await createVitest({ ...options, watch: false })
try {
  const { testModules, unhandledErrors } = await vitest.start(filter)
  const failed = testModules.filter((module) => !module.ok())
  if (process.env.CI && unhandledErrors.length === 0 && failed.length > 0 && failed.length <= mostFiles) {
    const again = await vitest.runTestSpecifications(failed.map((module) => module.toTestSpecification()))
    const ends = again.unhandledErrors.length === 0 && again.testModules.every((module) => module.ok())
    process.exitCode = ends ? 0 : 1
  }
} catch (error) {
  // That no file has the name is said already.
  if (!process.exitCode) throw error
} finally {
  await vitest.close()
}
