import { describe, expect, test } from 'vitest'
import { bibtexOf, type Cited, citationText, cslOf } from '../../../../src/console/export/citation.ts'
import { nasty } from '../../../system/security/texts.ts'

const cited: Cited = {
  id: 'evt_week7',
  author: 'Censorship Monitoring Service',
  headline: 'Claude refuses 12 percentage points more political prompts.',
  issued: '2026-11-21T13:05:00.000Z',
  receivedAt: '2026-11-21T13:05:02.000Z',
  url: 'https://desk.example/console/alerts/evt_week7',
  content: '0123456789abcdef0123456789abcdef',
  accessed: '2026-11-23T08:00:00.000Z',
}

test('a citation says who, when, what, which, and where it can be seen', () => {
  expect(citationText(cited)).toBe(
    'Censorship Monitoring Service. (2026, November 21). Claude refuses 12 percentage points more political prompts. [Alert evt_week7]. Received 2026-11-21 13:05Z; hash of its content 0123456789abcdef0123456789abcdef. https://desk.example/console/alerts/evt_week7 (seen 2026-11-23)',
  )
})

test('as CSL-JSON it has the fields that reference managers read', () => {
  expect(cslOf(cited)).toEqual({
    id: 'bluepencil-evt_week7',
    type: 'webpage',
    author: [{ literal: 'Censorship Monitoring Service' }],
    title: 'Claude refuses 12 percentage points more political prompts.',
    genre: 'Alert',
    number: 'evt_week7',
    issued: { 'date-parts': [[2026, 11, 21]] },
    accessed: { 'date-parts': [[2026, 11, 23]] },
    URL: 'https://desk.example/console/alerts/evt_week7',
    language: 'en',
    note: 'Alert evt_week7. Received 2026-11-21 13:05Z; hash of its content 0123456789abcdef0123456789abcdef',
  })
})

describe('as BibTeX', () => {
  test('it has one entry', () => {
    expect(bibtexOf(cited)).toBe(`@misc{bluepencil-evt_week7,
  author = {{Censorship Monitoring Service}},
  title = {{Claude refuses 12 percentage points more political prompts.}},
  year = {2026},
  month = nov,
  day = {21},
  url = {https://desk.example/console/alerts/evt_week7},
  urldate = {2026-11-23},
  note = {Alert evt\\_week7. Received 2026-11-21 13:05Z; hash of its content 0123456789abcdef0123456789abcdef}
}
`)
  })

  test('nothing that a service writes gets out of its field, or is a command', () => {
    for (const text of [...nasty, '}} @misc{other, title = {x', '\\input{/etc/passwd} $x$ 50 % & #1 ^ ~ _']) {
      const entry = bibtexOf({
        ...cited,
        id: text.slice(0, 500),
        headline: text.slice(0, 500),
        author: text.slice(0, 500),
      })
      let depth = 0
      for (const sign of entry.trimEnd().slice(0, -1)) {
        depth += sign === '{' ? 1 : sign === '}' ? -1 : 0
        expect(depth).toBeGreaterThan(-1)
      }
      expect(depth).toBe(1)
      const commands = [...entry.matchAll(/\\([a-zA-Z]+)/g)].map(([, name]) => name)
      expect(
        commands.filter(
          (name) =>
            !/^(textbackslash|textasciitilde|textasciicircum|textbraceleft|textbraceright)$/.test(name ?? ''),
        ),
      ).toEqual([])
      expect(entry).toMatch(/^@misc\{bluepencil-[\w-]*,\n/)
    }
  })
})
