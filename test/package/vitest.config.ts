import { defineConfig } from 'vitest/config'

/** A run of its own, as it installs and builds a store: `npm test` stays fast. */
export default defineConfig({
  test: {
    include: ['test/package/template.ci.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
    env: { NODE_ENV: 'test' },
  },
})
