import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeIn, read } from '../../support/markdown.ts'

test('docs/start.md shows the recorded run of init', () => {
  const recorded = readFileSync('docs/set-up/slack.txt', 'utf8').trimEnd()
  expect(codeIn(read('docs/start.md'))).toContain(recorded)
})
