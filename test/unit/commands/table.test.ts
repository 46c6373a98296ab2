import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { prose, table, tableText } from '../../../src/commands/table.ts'
import { runs } from '../../support/runs.ts'

test('columns stand under each other where a name is wide or has accents of its own', () => {
  const shown = table([
    ['検閲', 'sent'],
    ['e\u0301a', 'sent'],
    ['claude', 'sent'],
  ])
  expect(shown).toBe('検閲    sent\ne\u0301a      sent\nclaude  sent\n')
})

const columns = [
  { head: 'id' },
  { head: 'title', long: true },
  { head: 'records', align: 'right', spare: true },
] as const

test('columns line up in any script, with numbers at the right', () => {
  const rows = [
    ['a-1', '拒絶率', '1,825'],
    ['a-2', 'Daily rates', '3'],
  ]
  expect(tableText(columns, rows, { width: 80, colour: false }).split('\n')).toEqual([
    'id   title        records',
    'a-1  拒絶率         1,825',
    'a-2  Daily rates        3',
    '',
  ])
})

test('where there is no room, what can be spared goes first, and then long text is cut; an id never is', () => {
  const rows = [['refusals-2026', 'Daily rates of every model', '1,825']]
  expect(tableText(columns, rows, { width: 44, colour: false })).toBe(
    'id             title\nrefusals-2026  Daily rates of every model\n',
  )
  expect(tableText(columns, rows, { width: 30, colour: false })).toBe(
    'id             title\nrefusals-2026  Daily rates of…\n',
  )
})

test('no text of the service breaks the table or reaches the terminal as a command', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.integer({ min: 40, max: 100 }),
      (titles, width) => {
        const shown = tableText(
          columns,
          titles.map((title) => ['x', title, '1']),
          { width, colour: false },
        )
        const lines = shown.split('\n')
        expect(lines).toHaveLength(titles.length + 2)
        expect(lines.filter((line) => stringWidth(line) > width)).toEqual([])
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      },
    ),
    runs(),
  )
})

test('only the head has colour, and only if colour is on', () => {
  const shown = tableText([{ head: 'id' }], [['a']], { width: 80, colour: true })
  expect(shown).toBe('\u001b[1mid\u001b[22m\na\n')
})

test('sentences break between words', () => {
  expect(prose('95% intervals are of the sampling alone.', { width: 20 })).toBe(
    '95% intervals are of\nthe sampling alone.\n',
  )
})
