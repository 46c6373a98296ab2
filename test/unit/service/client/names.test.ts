import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

test('each table of guessed names stands for a gap that docs/internals/interface.md has', () => {
  const source = read('src/service/client/names.ts')
  const tables = source.match(/^export const \w+ = \{$/gm) ?? []
  const comments = source.match(/^\/\*\* Rows? "[^*]*\*\/\nexport const /gm) ?? []
  expect(comments).toHaveLength(tables.length)
  const rows = read('docs/internals/interface.md').match(/^\| [^|]+ \|/gm) ?? []
  const named = comments.flatMap((comment) => [...comment.matchAll(/"([^"]+)"/g)].map(([, row]) => row))
  const gaps = named.filter((name) => name !== 'Model metrics')
  for (const gap of gaps) expect(rows).toContain(`| ${gap} |`)
})
