import { defineConfig } from 'vitest/config'

const isLong = process.env.EDITLATCH_LONG !== undefined

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: isLong ? [] : ['test/**/*.long.test.ts'],
    globalSetup: 'test/support/environment.ts',
    pool: 'forks',
    maxWorkers: 2,
    // Generous, for busy machines: a test that hangs is ended, a slow one is not.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
