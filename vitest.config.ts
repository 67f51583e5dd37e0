import { defineConfig } from 'vitest/config'

const tests = [
  'sdk/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'web/test/**/*.test.ts',
  'bench/*.test.ts',
  'drills/*.test.ts',
  'tools/**/*.test.ts',
]

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run screenshots` takes pictures of the whole client like a test.
    include: mode === 'screenshots' ? ['web/test/screenshots.ts'] : tests,
    globalSetup: ['server/src/test/global-setup.ts'],
    reporters: ['default', './tools/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
}))
