import { defineConfig } from 'vitest/config'

const unit = 'test/unit/**/*.test.ts'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default defineConfig({
  test: {
    globalSetup: 'test/support/temporary.ts',
    setupFiles: ['test/support/setup.ts'],
    expect: { poll: { timeout: 25_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of the time goes by waiting for processes: two at once, also on two cores.
    maxWorkers: 2,
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
    projects: [
      // Files share a process and its modules: to start one and to load all that it imports takes longer than the tests.
      { extends: true, test: { name: 'unit', include: [unit], isolate: false } },
      { extends: true, test: { name: 'whole', include: ['{test,bench}/**/*.test.ts'], exclude: [unit] } },
    ],
  },
})
