import { escapeMarkdown } from 'discord.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeText, fit } from '../../../../src/channels/discord/text.ts'
import { runs } from '../../../support/runs.ts'
import { escapedPlaces, liveMarkup, unescaped } from './markdown.ts'
import { nasty } from './sample.ts'

const anyText = fc
  .array(
    fc.oneof(fc.constantFrom(...nasty, ' ', '\n', ':', '/', '👩‍👩‍👧', 'é'), fc.string({ unit: 'grapheme' })),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))

describe('text from the service', () => {
  it.each(nasty)('%j would do something in Discord, and does nothing when escaped', (text) => {
    expect(liveMarkup(escapeText(text))).toEqual([])
    expect(unescaped(escapeText(text))).toBe(text)
  })

  it('is seen by these tests where it is not escaped', () => {
    const harmless = ['\\', '\\\\', '\\*', '[a\\](https://evil.example)', '¯\\_(ツ)_/¯']
    const unseen = nasty.filter((text) => liveMarkup(text).length === 0)
    expect(unseen.filter((text) => !harmless.includes(text))).toEqual([])
  })

  it('any text reads as it was written and makes no markup', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(liveMarkup(escapeText(text))).toEqual([])
        expect(unescaped(escapeText(text))).toBe(text)
      }),
      runs(),
    )
  })

  it('is escaped wherever discord.js would escape it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ours = escapedPlaces(escapeText(text))
        expect([...escapedPlaces(escapeMarkdown(text))].filter((place) => !ours.has(place))).toEqual([])
      }),
      runs(),
    )
  })

  it('keeps a plain sentence plain, so that a notification has no backslashes', () => {
    const sentence = 'Claude’s refusal rate on political prompts rose 12.5 points: +3 since 9 May.'
    expect(escapeText(sentence)).toBe(sentence)
  })
})

describe('what is too long', () => {
  it('is cut between graphemes and outside escapes, within the limit, and ends in an ellipsis', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, most) => {
        const sent = fit(text, most)
        expect(sent.length).toBeLessThanOrEqual(most)
        expect(sent.isWellFormed()).toBe(true)
        expect(liveMarkup(sent)).toEqual([])
        const shown = unescaped(sent)
        const line = text.toWellFormed().trim()
        if (shown === '—' || shown === line) return
        expect(shown.endsWith('…')).toBe(true)
        const kept = shown.slice(0, -1)
        expect(line.startsWith(kept)).toBe(true)
        const starts = [...new Intl.Segmenter('en').segment(line)].map(({ index }) => index)
        expect([...starts, line.length].some((index) => line.slice(0, index).trimEnd() === kept)).toBe(true)
      }),
      runs(),
    )
  })

  it('keeps as much as fits', () => {
    expect(fit('abcdefgh', 5)).toBe('abcd…')
    expect(fit('ab*cdefgh', 6)).toBe(String.raw`ab\*c…`)
    expect(fit('👩‍👩‍👧👩‍👩‍👧', 12)).toBe('👩‍👩‍👧…')
  })

  it('says so with a dash where there is nothing to see', () => {
    expect(fit('', 10)).toBe('—')
    expect(fit(' \u200b\u2060 ', 10)).toBe('—')
  })
})
