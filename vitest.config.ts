import { defineConfig } from 'vitest/config'
import { leftForTheNight } from './test/support/left-for-the-night.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { propertyFiles } from './test/support/property-files.ts'
import { isNight } from './test/support/runs.ts'
import { whatToInstall } from './test/support/what-to-install.ts'

const oldest = 26
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `The tests need Node ${oldest}, this is ${process.version}. Use npm test, or npx vitest run FILE.\n`,
  )
  process.exit(1)
}

const night = 'test/night/**/*.test.ts'

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default defineConfig({
  test: {
    globalSetup: 'test/support/temporary.ts',
    setupFiles: ['test/support/setup.ts'],
    expect: { poll: { timeout: 25_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of the time goes by waiting for processes: two at once, also on two cores. Three were slower there (344 s after 314).
    maxWorkers: 2,
    // Files share a process and its modules, and Node loads them: to start a process, and to load all that a file imports, took
    // a quarter of the time.
    isolate: false,
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', whatToInstall(), leftForTheNight()],
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary'] },
    projects: [
      { extends: true, test: { name: 'day', include: ['{test,bench}/**/*.test.ts'], exclude: [night] } },
      {
        extends: true,
        test: { name: 'night', include: [night, ...(isNight() ? propertyFiles() : [])] },
      },
    ],
  },
})
