import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import { previewDiscord } from '../../../../src/channels/discord/preview.ts'
import { runs } from '../../../support/runs.ts'
import { nasty, spike } from './sample.ts'

const plain = { width: 80, colour: false }

describe('the preview of a Discord message', () => {
  it('reads like this', async () => {
    const message = { ...spike, caveats: ['This is a test from Bluepencil. No such change was reported.'] }
    await expect(`${previewDiscord(formatDiscord(message), plain)}\n`).toMatchFileSnapshot(
      'snapshots/preview.txt',
    )
  })

  it('shows text from the service letter for letter', () => {
    for (const text of nasty.filter((one) => !one.includes('\n'))) {
      const lines = previewDiscord(formatDiscord({ ...spike, headline: text }), plain).split('\n')
      expect(lines[0]).toBe(text)
    }
  })

  it('has the same words with colour and without', () => {
    const payload = formatDiscord(spike)
    const coloured = previewDiscord(payload, { width: 80, colour: true })
    expect(coloured).not.toBe(previewDiscord(payload, plain))
    expect(coloured).toContain('\u001b[1m')
    expect(stripVTControlCharacters(coloured)).toBe(previewDiscord(payload, plain))
  })

  it('passes no control characters, and stays within the width', () => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 200 })
    fc.assert(
      fc.property(text, text, fc.integer({ min: 20, max: 120 }), (headline, value, width) => {
        const payload = formatDiscord({
          ...spike,
          headline,
          text: [headline],
          facts: [{ label: 'x', value }],
        })
        const drawn = previewDiscord(payload, { width, colour: false })
        expect(drawn).not.toMatch(/[^\P{Cc}\n]/u)
        for (const line of drawn.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.max(width, 22))
      }),
      runs(),
    )
  })
})
