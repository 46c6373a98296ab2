import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allOf, read } from '../../support/markdown.ts'

test('docs/start.md leads to each recorded run of init', () => {
  const recorded = readdirSync('docs/set-up')
    .filter((file) => file.endsWith('.txt'))
    .map((file) => `set-up/${file}`)
  expect(recorded.length).toBeGreaterThan(2)
  const links = allOf('link', read('docs/start.md')).map(({ href }) => href)
  expect(links).toEqual(expect.arrayContaining(recorded))
})
