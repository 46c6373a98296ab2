import { globSync, readFileSync } from 'node:fs'

/** The test files that try random inputs: those that import `runs`. */
export function propertyFiles(): string[] {
  return globSync('test/{unit,system}/**/*.test.ts').filter((file) =>
    /^import .*\bruns\b.* from '/m.test(readFileSync(file, 'utf8')),
  )
}
