import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
})
