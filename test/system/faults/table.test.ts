import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** `file` "words of a name", "of another"; and so on, in the last cell of a row. */
const named = [
  ...readFileSync('docs/reliability.md', 'utf8').matchAll(/`([\w/-]+\.test\.ts)`((?:,? "[^"]+")+)/g),
].map(([, file = '', names = '']) => ({
  file: `test/${file}`,
  names: [...names.matchAll(/"([^"]+)"/g)].map((name) => name[1] ?? ''),
}))

test('every test that docs/reliability.md names is there', () => {
  expect(named.length).toBeGreaterThan(25)
  const missing = named.flatMap(({ file, names }) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('every row of its tables of faults names a test', () => {
  const rows = readFileSync('docs/reliability.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|fault) /.test(line))
  expect(rows.filter((row) => !/\.test\.ts` "/.test(row))).toEqual([])
})
