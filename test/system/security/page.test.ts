import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const page = readFileSync('SECURITY.md', 'utf8').replace(/\s+/g, ' ')
const claims = Array.from(
  page.matchAll(/`(test\/[\w./-]+)`(?: \(([^()]+)\))?/g),
  ([, file = '', name = '']) => ({
    file,
    name,
  }),
)

describe('what SECURITY.md claims is shown by a test that is there', () => {
  test.each(claims.filter(({ name }) => name !== ''))('$file: $name', ({ file, name }) => {
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain(name)
  })

  test('and every file of tests against malice is named', () => {
    const named = new Set(claims.map(({ file }) => file))
    const files = ['addresses', 'chain', 'config', 'flood', 'http', 'reading', 'replay', 'secrets', 'wire']
    expect(files.filter((name) => !named.has(`test/system/security/${name}.test.ts`))).toEqual([])
  })
})
