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
    testTimeout: 30_000,
  },
})
