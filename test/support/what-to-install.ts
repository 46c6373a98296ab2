import type { Reporter } from 'vitest/node'

/** Says once what to install for the tests that were skipped; such a test has it in its name, as `: there is no … (apt-get install …)`. */
export function whatToInstall(): Reporter {
  return {
    onTestRunEnd(modules) {
      const counts = new Map<string, number>()
      for (const test of modules.flatMap(({ children }) => [...children.allTests('skipped')])) {
        const why = /: (there is no .* \(.*install [^)]+\))/.exec(test.fullName)?.[1]
        if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
      }
      for (const [why, count] of counts) process.stdout.write(`\nSkipped ${count} tests: ${why}\n`)
    },
  }
}
