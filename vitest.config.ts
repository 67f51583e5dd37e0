import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['sdk/src/**/*.test.ts', 'server/src/**/*.test.ts', 'tools/**/*.test.ts', 'drills/**/*.test.ts'],
    globalSetup: ['server/src/test/global-setup.ts'],
    reporters: ['default', './tools/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
