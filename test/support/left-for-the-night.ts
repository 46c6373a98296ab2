import { globSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** Says at the end of `npm test` what it did not run, so that green is not taken for more than it is. */
export function leftForTheNight(): Reporter {
  return {
    onTestRunEnd(modules) {
      const isWholeDay = modules.length > 100 && modules.every(({ project }) => project.name === 'day')
      if (!isWholeDay) return
      const files = globSync('test/night/**/*.test.ts')
      const kinds = new Set(files.map((file) => file.split('/')[2]))
      process.stdout.write(
        `\nNot run: ${files.length} longer test files (${[...kinds].filter((kind) => !kind?.includes('.')).join(', ')}).` +
          ' Before you merge, run them too: npm run test:night\n',
      )
    },
  }
}
