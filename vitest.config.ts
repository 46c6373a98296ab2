import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default defineConfig({
  test: {
    include: ['{test,bench}/**/*.test.ts'],
    globalSetup: 'test/support/temporary.ts',
    setupFiles: ['test/contract/hold.ts', 'test/support/patience.ts'],
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the time goes by waiting for processes: two at once, also on two cores.
    maxWorkers: 2,
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
})
