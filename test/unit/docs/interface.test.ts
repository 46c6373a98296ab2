import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/interface.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|the specification) /.test(line))

/** `file` "words of a name", "of another"; and so on, in a cell. */
const named = /`([\w/-]+\.test\.ts)`((?:,? "[^"]+")+)/g

test('every test that docs/interface.md names is there', () => {
  const missing = rows.flatMap((row) =>
    [...row.matchAll(named)].flatMap(([, file = '', names = '']) => {
      const path = `test/${file}`
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      const wanted = [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
      return wanted.filter((name) => !text.includes(name)).map((name) => `${path}: ${name}`)
    }),
  )
  expect(missing).toEqual([])
})

test('every row names one on the client’s side, and one on the sandbox’s', () => {
  expect(rows.length).toBeGreaterThan(40)
  const bare = rows.filter((row) => {
    const sides = row.split(' | ').slice(-2)
    return !sides.every((side) => [...side.matchAll(named)].length > 0)
  })
  expect(bare).toEqual([])
})

test('all eleven endpoints, four tiers and five statuses of errors have a row', () => {
  const what = rows.map((row) => row.split(' | ')[0] ?? '')
  expect(what.filter((cell) => /^\| `(GET|POST|DELETE) \//.test(cell))).toHaveLength(11)
  expect(what.filter((cell) => /^\| (Free|Researcher|Pro|Enterprise),/.test(cell))).toHaveLength(4)
  expect(what.filter((cell) => /^\| (400|401|403|404|429),/.test(cell))).toHaveLength(5)
})
