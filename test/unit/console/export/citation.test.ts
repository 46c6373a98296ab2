import { describe, expect, test } from 'vitest'
import { bibtexOf, type CitedAlert, citationText, cslOf } from '../../../../src/console/export/citation.ts'
import { nasty } from '../../../system/security/texts.ts'

const sha256 = '0123456789abcdef'.repeat(4)
const cited: CitedAlert = {
  id: 'evt_week7',
  service: 'Censorship Monitoring Service',
  is: 'Event',
  author: 'Censorship Monitoring Service',
  title: 'Censorship spike: Claude, political prompts, +12 percentage points',
  detectedAt: '2026-11-21T13:05:00.000Z',
  receivedAt: '2026-11-21T13:05:02.000Z',
  methodology: 'https://monitor.example/methodology',
  record: 'As recorded by Bluepencil 0.1.0',
  sha256,
  url: 'https://desk.example/console/alerts/evt_week7',
  accessed: '2026-11-23T08:00:00.000Z',
}
const note = `Event evt_week7 (detected 2026-11-21 13:05Z; methodology https://monitor.example/methodology). As recorded by Bluepencil 0.1.0, received 2026-11-21 13:05Z; SHA-256 of its body ${sha256}`

test('a citation says who, when, what, which, who recorded it, and gives its address', () => {
  expect(citationText(cited)).toBe(
    `Censorship Monitoring Service. (2026, November 21). Censorship spike: Claude, political prompts, +12 percentage points. ${note}. Retrieved November 23, 2026, from https://desk.example/console/alerts/evt_week7`,
  )
})

test('without a public address it names none', () => {
  const { url: _, ...hidden } = cited
  const texts = [citationText(hidden), JSON.stringify(cslOf(hidden)), bibtexOf(hidden)]
  for (const text of texts) expect(text).not.toMatch(/desk\.example|retrieved|accessed|url/i)
})

test('as CSL-JSON it has the fields that reference managers read', () => {
  expect(cslOf(cited)).toEqual({
    id: 'bluepencil-evt_week7',
    type: 'webpage',
    author: [{ literal: 'Censorship Monitoring Service' }],
    title: 'Censorship spike: Claude, political prompts, +12 percentage points',
    genre: 'Event',
    number: 'evt_week7',
    issued: { 'date-parts': [[2026, 11, 21]] },
    accessed: { 'date-parts': [[2026, 11, 23]] },
    URL: 'https://desk.example/console/alerts/evt_week7',
    language: 'en',
    note,
  })
})

describe('as BibTeX', () => {
  test('it has one entry', () => {
    expect(bibtexOf(cited)).toBe(`@misc{bluepencil-evt_week7,
  author = {{Censorship Monitoring Service}},
  title = {{Censorship spike: Claude, political prompts, +12 percentage points}},
  year = {2026},
  month = nov,
  day = {21},
  url = {https://desk.example/console/alerts/evt_week7},
  urldate = {2026-11-23},
  note = {${note.replace('_', '\\_')}}
}
`)
  })

  test('nothing that a service writes gets out of its field, or is a command', () => {
    for (const text of [...nasty, '}} @misc{other, title = {x', '\\input{/etc/passwd} $x$ 50% & #1 ^ ~ _']) {
      const entry = bibtexOf({
        ...cited,
        id: text.slice(0, 500),
        title: text.slice(0, 500),
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
