import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../vitest.config.ts'

// `npm run screenshots`: pictures of the main pages, taken like a test of the whole service.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['web/test/screenshots.ts'], testTimeout: 120_000 } }),
)
