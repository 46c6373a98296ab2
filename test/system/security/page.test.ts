import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { read } from '../../support/markdown.ts'
import { isTest } from '../../support/test-names.ts'

const page = read('SECURITY.md')
  .filter(({ type }) => type !== 'html')
  .map(({ raw }) => raw.replace(/\s+/g, ' '))
const claims = page.flatMap((part) =>
  Array.from(part.matchAll(/`(test\/[\w./-]+)`(?: \(([^()]+)\))?/g), ([, file = '', name = '']) => ({
    file,
    name,
  })),
)

describe('what SECURITY.md claims is shown by a test that is there', () => {
  test.each(claims.filter(({ name }) => name !== ''))('$file: $name', (claim) => {
    expect(isTest(claim)).toBe(true)
  })

  test('and every file that it names is there', () => {
    expect(claims.filter(({ file }) => !existsSync(file))).toEqual([])
  })

  test('and every file of tests against malice is named', () => {
    const named = new Set(
      claims.map(({ file }) => /^test\/(?:system|night)\/security\/([\w-]+)\.test\.ts$/.exec(file)?.[1]),
    )
    const files = ['addresses', 'chain', 'config', 'flood', 'http', 'reading', 'replay', 'secrets', 'wire']
    expect(files.filter((name) => !named.has(name))).toEqual([])
  })
})
