import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiscordPayload, footerNames, formatDiscord } from '../../../../src/channels/discord/format.ts'
import type { Message } from '../../../../src/message/message.ts'
import { refuseBody } from '../../../support/fakes/discord-body.ts'
import { runs } from '../../../support/runs.ts'
import { liveMarkup, unescaped } from './markdown.ts'
import { nasty, spike } from './sample.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.constantFrom(...nasty, 'word', ' '), { maxLength: 400 }).map((parts) => parts.join(' ')),
)
const anyMessage: fc.Arbitrary<Message> = fc.record({
  id: fc.oneof(
    fc.constant('evt_1'),
    anyText.filter((text) => text !== ''),
  ),
  thread: anyText,
  tone: fc.constantFrom('rise', 'fall', 'neutral', 'trouble', 'over'),
  kicker: anyText,
  headline: anyText,
  text: fc.array(anyText, { maxLength: 5 }),
  facts: fc.array(fc.record({ label: anyText, value: anyText }), { maxLength: 30 }),
  links: fc.array(
    fc.record({ label: anyText, url: fc.webUrl({ withQueryParameters: true, withFragments: true }) }),
    {
      maxLength: 3,
    },
  ),
  caveats: fc.array(anyText, { maxLength: 4 }),
  source: anyText,
  happenedAt: fc.oneof(fc.integer(), fc.constant(Number.NaN), fc.constant(8.64e15)),
})

/** All that Discord reads as markup; an author and a footer are not. */
function marked({ content, embeds: [embed] }: DiscordPayload): string[] {
  return [content, embed.description ?? '', ...embed.fields.flatMap(({ name, value }) => [name, value])]
}

describe('a Discord message', () => {
  it('of one alert is exactly this', async () => {
    const payload = formatDiscord(spike, '1180000000000000001')
    await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot('snapshots/spike.json')
  })

  it('sets the caveats apart, in a quote of their own after the text', () => {
    const { description } = formatDiscord({
      ...spike,
      caveats: ['Not as documented: delta (malformed).', 'As received: {}'],
    }).embeds[0]
    expect(description).toMatch(
      /spike\.\n\n> \*\*Note to editors\*\*\n> • Not as documented: delta .*\n> • As received: \{\}$/,
    )
  })

  it('is valid for Discord, and text of the service never becomes markup', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const payload = formatDiscord(message)
        expect(refuseBody(payload, 'bot')).toBeUndefined()
        const allowedMarkup = /^(?:> |\*|\[(?:\\[\s\S]|[^\]\\])*\]\(https?:\/\/[^\s()<>\\]+\))$/
        expect(
          marked(payload)
            .flatMap(liveMarkup)
            .filter((markup) => !allowedMarkup.test(markup)),
        ).toEqual([])
        expect(footerNames(payload.embeds[0].footer.text, message.id)).toBe(true)
      }),
      runs(),
    )
  })

  it('mentions nobody', () => {
    expect(formatDiscord(spike).allowed_mentions).toEqual({ parse: [] })
  })

  it('keeps its links and caveats when the text is far too long', () => {
    const long = 'A very long paragraph. '.repeat(1_000)
    const { description, fields } = formatDiscord({
      ...spike,
      text: [long, long],
      caveats: [long],
      facts: spike.facts.map(() => ({ label: long, value: long })),
    }).embeds[0]
    expect(description).toContain('…\n\n> **Note to editors**\n> • A very')
    expect(fields.at(-1)?.value).toBe('[Methodology](https://monitor.example/methodology_%28v2%29)')
  })

  it('has links only to where the message points', () => {
    const url = new URL('https://monitor.example/a)b?q=[x](y)&z=\\*<>|~`').href
    const { fields } = formatDiscord({
      ...spike,
      links: [{ label: 'a](https://evil.example)', url }],
    }).embeds[0]
    const written = fields.at(-1)?.value ?? ''
    expect(liveMarkup(written)).toEqual([written])
    const target = /\]\(([^()\s]+)\)$/.exec(written)?.[1] ?? ''
    expect(decodeURIComponent(target)).toBe(decodeURIComponent(url))
    expect(new URL(target).host).toBe('monitor.example')
  })

  it('says that an address is too long instead of linking half of it', () => {
    const long = { label: 'Method', url: `https://monitor.example/${'x'.repeat(3_000)}` }
    const payload = formatDiscord({ ...spike, links: [long, ...spike.links] })
    expect(payload.embeds[0].fields.at(-1)?.value).toBe(
      'Method (the address is too long for Discord) · [Methodology](https://monitor.example/methodology_%28v2%29)',
    )
    expect(refuseBody(payload, 'bot')).toBeUndefined()
  })

  it('has a field for links only if there are some', () => {
    expect(formatDiscord({ ...spike, links: [] }).embeds[0].fields).toHaveLength(spike.facts.length)
  })

  it('has a nonce that differs by event and by channel, and is the same on every try', () => {
    const nonce = (id: string, to: string) => formatDiscord({ ...spike, id }, to).nonce
    expect(nonce('evt_1', '1')).toBe(nonce('evt_1', '1'))
    expect(new Set([nonce('evt_1', '1'), nonce('evt_2', '1'), nonce('evt_1', '2')]).size).toBe(3)
    expect(nonce('evt_1', '1')).toHaveLength(25)
  })

  it('is found again by its own event id alone', () => {
    const footer = (id: string) =>
      formatDiscord({ ...spike, id, source: `Reported · ${id}` }).embeds[0].footer.text
    expect(footerNames(footer('evt_12'), 'evt_12')).toBe(true)
    expect(footerNames(footer('evt_12'), 'evt_1')).toBe(false)
    expect(footerNames(footer('evt_12'), 'vt_12')).toBe(false)
    expect(footer('evt_12')).toBe('Reported · evt_12')
  })

  it('says headline and event id in words that a search finds', () => {
    const payload = formatDiscord(spike)
    expect(unescaped(payload.content)).toBe(spike.headline)
    expect(payload.embeds[0].footer.text).toBe(spike.source)
  })
})
