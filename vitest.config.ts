import { defineConfig } from 'vitest/config'

const tests = [
  'sdk/src/**/*.test.ts',
  'server/**/*.test.ts',
  'web/test/**/*.test.ts',
  'bench/**/*.test.ts',
  'drills/**/*.test.ts',
  'tools/**/*.test.ts',
]

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run screenshots` takes pictures of the whole client like a test.
    include: mode === 'screenshots' ? ['web/test/screenshots.ts'] : tests,
    globalSetup: ['testing/global-setup.ts'],
    reporters: ['default', './tools/closing-line.ts'],
    testTimeout: 30_000,
    // Many tests hold the service to a time. A machine that is busy otherwise may miss one; a fault fails twice.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 60_000,
    pool: 'forks',
  },
}))
