import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { problemsOf, strings } from '../../../support/fakes/slack-limits.ts'
import { runs } from '../../../support/runs.ts'
import { alert, nasty } from './messages.ts'

describe('an alert in Slack', () => {
  test('is exactly this payload', async () => {
    const payload = JSON.stringify(formatSlack(alert()), null, 2)
    await expect(`${payload}\n`).toMatchFileSnapshot('./alert.payload.json')
  })

  test('is valid for Slack with any strings in it', () => {
    fc.assert(
      fc.property(anyMessage(), (message) => {
        const payload = formatSlack(message)
        expect(problemsOf({ ...payload })).toEqual([])
        expect(payload.metadata.event_payload.event_id).toMatch(/^[!-~]{1,200}$/)
      }),
      runs(),
    )
  })

  test('says nothing but its text when the service writes markup, mentions and control characters', () => {
    for (const text of nasty) {
      const payload = formatSlack(
        alert({
          kicker: text,
          headline: text,
          text: [text],
          facts: [{ label: text, value: text }],
          caveats: [text],
        }),
      )
      expect(problemsOf({ ...payload })).toEqual([])
      expect(payload.text).not.toMatch(/<[!@#h]/)
      expect(JSON.stringify(payload.blocks)).not.toContain('mrkdwn')
      expect(payload).toMatchObject({ mrkdwn: false, parse: 'none', link_names: false })
      expect(payload).toMatchObject({ unfurl_links: false, unfurl_media: false })
    }
  })

  test('has markup only in bold labels of letters, digits and blanks', () => {
    const facts = ['Change in refusal rate', 'Größe 2', 'a*b', '<!here>', ':x:', ' _x_ '].map((label) => ({
      label,
      value: 'v',
    }))
    const { blocks } = formatSlack(alert({ facts }))
    const labels = blocks.flatMap((block) => (block.type === 'section' ? (block.fields ?? []) : []))
    expect(labels.filter((field) => field.type === 'mrkdwn').map((field) => field.text)).toEqual([
      '*Change in refusal rate*',
      '*Größe 2*',
    ])
  })

  test('keeps its link when 100 kB of text are cut', () => {
    const payload = formatSlack(alert({ text: ['long '.repeat(20_000)], headline: 'x'.repeat(100_000) }))
    expect(problemsOf({ ...payload })).toEqual([])
    expect([...strings(payload.blocks)]).toContain('https://monitor.example/methodology?v=3&lang=en')
    expect(payload.text).toMatch(/…$/)
  })

  test('is cut between emoji, never inside one', () => {
    const family = '👩‍👩‍👧‍👦'
    for (let shift = 0; shift < family.length; shift++) {
      const { blocks, text } = formatSlack(alert({ kicker: 'x'.repeat(shift) + family.repeat(500) }))
      const [kicker] = blocks
      if (kicker?.type !== 'context') throw new Error('no kicker')
      expect(kicker.elements[0]?.text).toMatch(/^▲ x*(👩‍👩‍👧‍👦)+…$/u)
      expect(text.isWellFormed()).toBe(true)
    }
  })

  test('shows a headline that is too long for a header as bold text, in full', () => {
    const headline = `${'A long name '.repeat(20)}refuses 12 percentage points more political prompts.`
    const { blocks } = formatSlack(alert({ headline }))
    const elements = [{ type: 'text', text: headline, style: { bold: true } }]
    expect(blocks[1]).toEqual({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] })
  })

  test('says that a link is too long instead of linking half of it', () => {
    const url = `https://monitor.example/${'a'.repeat(4000)}`
    const { blocks } = formatSlack(alert({ links: [{ label: 'Methodology', url }] }))
    expect([...strings(blocks)]).toContain('Methodology (the address is too long for Slack)')
    expect(JSON.stringify(blocks)).not.toContain('aaaa')
  })

  test('says how many facts it leaves out', () => {
    const facts = Array.from({ length: 13 }, (_, index) => ({ label: `Fact ${index}`, value: 'v' }))
    expect([...strings(formatSlack(alert({ facts })).blocks)]).toContain('3 more details')
  })

  test('leaves out the parts that are empty', () => {
    const { blocks } = formatSlack(alert({ text: [], facts: [], links: [], caveats: [], source: '' }))
    expect(blocks.map((block) => block.type)).toEqual(['context', 'header'])
  })
})

function anyMessage() {
  const anyString = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      ...nasty,
      '',
      ' ',
      '\u200b',
      '&'.repeat(5000),
      '👩‍👩‍👧‍👦'.repeat(900),
      'e\u0301'.repeat(5000),
    ),
  )
  const url = fc.webUrl({ size: 'large', withQueryParameters: true }).map((text) => new URL(text).href)
  return fc.record({
    id: anyString,
    thread: anyString,
    tone: fc.constantFrom(
      'rise' as const,
      'fall' as const,
      'neutral' as const,
      'trouble' as const,
      'over' as const,
    ),
    kicker: anyString,
    headline: anyString,
    text: fc.array(anyString, { maxLength: 60 }),
    facts: fc.array(fc.record({ label: anyString, value: anyString }), { maxLength: 30 }),
    links: fc.array(fc.record({ label: anyString, url }), { maxLength: 12 }),
    caveats: fc.array(anyString, { maxLength: 30 }),
    source: anyString,
    happenedAt: fc.integer(),
  })
}
