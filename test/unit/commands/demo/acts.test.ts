import { expect, test } from 'vitest'
import { difference } from '../../../../src/commands/demo/acts.ts'

const drawn = (heading: string, ...lines: string[]) =>
  [heading, '╭─ Slack ───╮', ...lines.map((line) => `│ ${line.padEnd(9)} │`), '╰───────────╯', ''].join('\n')

test('what an edit removed and added is listed by paragraph, for the messages about the event only', () => {
  const before = drawn('newsroom', 'Claude', 'refuses', '', 'not', 'reported', '', 'poll_1')
  const another = drawn('newsroom', 'Gemini', '', 'poll_2')
  const after = drawn(
    'newsroom, edited',
    '\u001b[1mClaude\u001b[22m   ',
    'refuses',
    '',
    'reported',
    '',
    'poll_1',
  )
  expect(difference([before, another, after], 'poll_1')).toEqual(['- not reported', '+ reported'])
})

test('an id that a narrow terminal breaks in two is still recognised', () => {
  const before = drawn('newsroom', 'old', '', 'poll_12', '345')
  const after = drawn('newsroom, edited', 'new', '', 'poll_12', '345')
  expect(difference([before, after], 'poll_12345')).toEqual(['- old', '+ new'])
})
