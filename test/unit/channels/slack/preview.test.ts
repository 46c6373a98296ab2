import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { previewSlack } from '../../../../src/channels/slack/preview.ts'
import { alert, nasty } from './messages.ts'

describe('the preview of a Slack message', () => {
  test('reads like this', async () => {
    const preview = previewSlack(formatSlack(alert()), { width: 72, colour: false })
    await expect(`${preview}\n`).toMatchFileSnapshot('./alert.preview.txt')
  })

  test('has colour only when asked, and the same words', () => {
    const payload = formatSlack(alert())
    const plain = previewSlack(payload, { width: 72, colour: false })
    const coloured = previewSlack(payload, { width: 72, colour: true })
    expect(coloured).toContain('\u001b[')
    expect(stripVTControlCharacters(coloured)).toBe(plain)
  })

  test('lets no control character through', () => {
    for (const text of nasty) {
      const payload = formatSlack(alert({ headline: text }))
      const [, header] = payload.blocks
      if (header?.type === 'header') header.text.text = `\u001b]0;title\u0007${text}`
      const preview = previewSlack(payload, { width: 60, colour: false })
      expect(preview.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }
  })

  test.each([10, 30, 43, 80, 500])('every line is equally wide at width %i', (width) => {
    const facts = [{ label: 'A rather long label of a fact', value: 'word '.repeat(30) + 'x'.repeat(150) }]
    const preview = previewSlack(formatSlack(alert({ facts })), { width, colour: false })
    const widths = new Set(preview.split('\n').map((line) => Array.from(line).length))
    expect([...widths]).toEqual([Math.min(Math.max(width, 30), 100)])
  })

  test('wide characters take two columns', () => {
    const preview = previewSlack(formatSlack(alert({ headline: '検閲 👩‍👩‍👧‍👦 e\u0301' })), {
      width: 40,
      colour: false,
    })
    const line = preview.split('\n').find((row) => row.includes('検'))
    expect(line).toBe(`│ 検閲 👩‍👩‍👧‍👦 é${' '.repeat(28)}│`)
  })
})
