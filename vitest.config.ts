import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import LongFilesFirst from './tools/long-files-first.ts'

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run screenshots` takes pictures of the whole client like a test.
    include: [mode === 'screenshots' ? 'web/test/screenshots.ts' : '**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['testing/service/global-setup.ts', 'web/test/browser.ts'],
    // Without a terminal only failures are printed.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', './tools/closing-line.ts'],
    slowTestThreshold: 5_000,
    // What a page still does when its test has ended fails with it. What a test waits for fails the test.
    onUnhandledError: ({ message }) => !message.includes('Target page, context or browser has been closed'),
    testTimeout: 120_000,
    // What is polled is there at once on a quiet machine. A busy one is no fault.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    pool: 'forks',
    // The files share one process per worker, so that the service's modules are loaded once per worker, not per file.
    isolate: false,
    // Tests wait for a third of their time: with one more than cores all of them are done in four fifths of it.
    maxWorkers: availableParallelism() + 1,
    // A larger young generation, because a service and its tests make much that is soon garbage.
    execArgv: ['--max-semi-space-size=64'],
    // As `npm start` has it: what Node has compiled once is not compiled again by the next process of a test.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/node') },
    sequence: { sequencer: LongFilesFirst },
  },
}))
