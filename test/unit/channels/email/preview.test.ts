import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { formatEmail } from '../../../../src/channels/email/format.ts'
import { previewEmail } from '../../../../src/channels/email/preview.ts'
import { spike } from './messages.ts'

const payload = formatEmail(spike, {
  from: { name: 'Bluepencil', address: 'alerts@news.example' },
  to: 'a@news.example',
  channel: 'ai-desk',
  domain: 'news.example',
})

test('a mail is drawn with its headers and its text', async () => {
  await expect(previewEmail(payload, { width: 80, colour: false })).toMatchFileSnapshot('preview.txt')
})

test('a narrow terminal gets narrow lines, addresses aside', () => {
  const lines = previewEmail(
    { ...payload, text: payload.text.replace(/^https.*$/m, '') },
    { width: 40, colour: false },
  ).split('\n')
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40)
})

test('colour is optional and changes no word', () => {
  const coloured = previewEmail(payload, { width: 80, colour: true })
  expect(coloured).toContain('\u001b[1m')
  expect(stripVTControlCharacters(coloured)).toBe(previewEmail(payload, { width: 80, colour: false }))
})

test('control characters never reach the terminal', () => {
  const harm = 'a\u001b[2Jb\u0007\u009b31m\u202e'
  const drawn = previewEmail(
    {
      ...payload,
      subject: harm,
      text: `${harm}\n${harm}`,
      from: { name: harm, address: 'a@b.example' },
      to: harm,
    },
    { width: 80, colour: false },
  )
  expect(drawn.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
})
