import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { previewOf } from '../../../src/channels/console/channel.ts'
import { formatDiscord } from '../../../src/channels/discord/format.ts'
import { formatEmail } from '../../../src/channels/email/format.ts'
import { formatSlack } from '../../../src/channels/slack/format.ts'
import { route } from '../../../src/decide/route/route.ts'
import { readDelivery } from '../../../src/event/delivery.ts'
import { rules } from '../../../src/event/outcome.ts'
import type { Message } from '../../../src/message/message.ts'
import { render } from '../../../src/message/render/render.ts'
import { refuseBody } from '../../support/fakes/discord-body.ts'
import { problemsOf } from '../../support/fakes/slack-limits.ts'
import { runs } from '../../support/runs.ts'
import { liveMarkup } from '../../unit/channels/discord/markdown.ts'
import { anyNasty, nasty, terminalCommands } from './texts.ts'

const now = Date.parse('2026-11-21T15:05:09.000Z')

const service = 'Censorship Monitoring Service'
const desk = { name: 'desk', direction: 'both' as const, timeZone: 'Europe/Berlin', language: 'en' as const }
const picky = {
  ...desk,
  name: 'picky',
  models: ['claude'],
  events: ['policy_change'],
  categories: ['political'],
  minDelta: 5,
}
const table = { channels: [desk, picky], operators: ['desk'], retentionMs: 90 * 86_400_000 }

/** From the bytes of an authentic delivery to what is decided and said of it. */
function walk(body: string): { message: Message; decided: ReturnType<typeof route> } {
  const event = readDelivery(Buffer.from(body), {
    source: 'webhook',
    receivedAt: new Date(now).toISOString(),
  })
  return { message: render(event, { service, timeZone: desk.timeZone }), decided: route(event, table, now) }
}

const good = { delta: '+12pp', detected: '2026-11-21T15:05:00Z' }
const anyValue = fc.oneof({ weight: 9, arbitrary: anyNasty }, { weight: 1, arbitrary: fc.jsonValue() })
const address = anyNasty.map((text) => `https://monitor.example/${text}`)

/** Anything at all in every field, and sometimes beside them. */
const hostile = fc
  .record({
    id: anyValue,
    type: fc.oneof(anyValue, fc.constant('censorship_spike')),
    model: fc.oneof(anyValue, fc.constant('claude')),
    data: fc.record({
      category: anyValue,
      delta: fc.oneof(anyValue, fc.constant(good.delta)),
      detected_at: fc.oneof(anyValue, fc.constant(good.detected)),
    }),
    methodology: fc.oneof(anyValue, address, fc.webUrl({ withQueryParameters: true, withFragments: true })),
    __extra: anyValue,
  })
  .map((event) => JSON.stringify(event))

/** The same text everywhere: each is sure to be tried in each field. */
const everywhere = nasty.map((text) =>
  JSON.stringify({
    id: text,
    type: text,
    model: text,
    data: { category: text, delta: text, detected_at: text },
    methodology: `https://monitor.example/${text}`,
  }),
)

/** Some with the text in one field among good ones, which are read further than what is bad everywhere. */
const amongGood = nasty.map((text, index) =>
  JSON.stringify({
    id: `evt_${index}`,
    type: 'policy_change',
    model: index % 2 === 0 ? text : 'claude',
    data: { category: text, delta: good.delta, detected_at: good.detected },
    methodology: 'https://monitor.example/methodology',
  }),
)

async function eachHostile(walked: (body: string) => Promise<void> | void, numRuns: number): Promise<void> {
  for (const body of [...everywhere, ...amongGood]) await walked(body)
  await fc.assert(
    fc.asyncProperty(hostile, async (body) => walked(body)),
    runs(numRuns),
  )
}

test('no field of an event has control, format or half characters when it is a message', async () => {
  await eachHostile((body) => {
    const { message, decided } = walk(body)
    const { id: _opaque, ...shown } = message
    expect(
      strings(shown).filter((text) => terminalCommands.test(text) || /[\n\u200b-\u200d]/.test(text)),
    ).toEqual([])
    expect(Math.max(...strings(shown).map(({ length }) => length))).toBeLessThanOrEqual(4_200)
    expect(Object.keys(decided)).toEqual(['desk', 'picky'])
    const passed = Object.values(decided).filter(({ state }) => state !== 'waiting')
    const reasons = passed.map((outcome) => ('rule' in outcome ? outcome.rule : outcome.state))
    expect(reasons.filter((rule) => !rules.some((one) => one === rule))).toEqual([])
  }, 300)
})

test.each(['\u0000\u200b', '\u202e', '\u3164', '\u2800', '\u0301'])(
  'a name that cannot be seen, %j, is said to be unreadable instead of shown as nothing',
  (name) => {
    const { message } = walk(
      JSON.stringify({ id: 'evt_1', model: name, type: name, data: { category: name } }),
    )
    expect(message.headline).toBe(
      'An unrecognised event was reported for an unnamed model, but its size is unreadable.',
    )
    expect(message.facts).toContainEqual({ label: 'Category', value: 'not readable' })
    expect(message.caveats[0]).toContain('model (without a character that can be seen)')
  },
)

test('no event can mention, mark up, link or break a limit in Slack', async () => {
  await eachHostile((body) => {
    const { message } = walk(body)
    const payload = formatSlack(message)
    expect(problemsOf({ ...payload })).toEqual([])
    expect(payload).toMatchObject({ mrkdwn: false, parse: 'none', link_names: false, unfurl_links: false })
    const all = objects(payload.blocks)
    expect(all.filter(({ type }) => type === 'mrkdwn').map(({ text }) => text)).toEqual([
      '*Model*',
      '*Category*',
      '*Reported change*',
      '*Detected*',
      '*Received*',
    ])
    expect(
      unlinked(
        message,
        all.flatMap(({ url }) => (typeof url === 'string' ? [url] : [])),
      ),
    ).toEqual([])
  }, 300)
})

test('no event can mention, mark up, link or break a limit in Discord', async () => {
  await eachHostile((body) => {
    const { message } = walk(body)
    const payload = formatDiscord(message, '1180000000000000001')
    expect(refuseBody(payload, 'bot')).toBeUndefined()
    expect(payload.allowed_mentions).toEqual({ parse: [] })
    const { author, footer, timestamp: _when, ...marked } = payload.embeds[0]
    const markup = [payload.content, ...strings(marked)].flatMap(liveMarkup)
    const ownMarkup = /^(?:> |\*|\[Methodology\]\(([^)\s]+)\))$/
    expect(markup.filter((one) => !ownMarkup.test(one))).toEqual([])
    const targets = markup.flatMap((one) => ownMarkup.exec(one)?.[1] ?? []).map(decodedUrl)
    const plain = message.links.map(({ url }) => decodedUrl(url))
    expect(targets.filter((url) => !plain.includes(url))).toEqual([])
    expect([author.name, footer.text].filter((text) => terminalCommands.test(text))).toEqual([])
  }, 300)
})

const composer = createTransport({ streamTransport: true, buffer: true })
const envelope = {
  from: { name: 'Bluepencil', address: 'alerts@news.example' },
  to: 'desk@news.example',
  channel: 'desk',
  domain: 'news.example',
}
/** What mail readers make links of, unasked. */
const autoLinks = /[\w-]\.example|\w@|www\.|\b(https?|ftp|mailto|tel|javascript|data|file):\S/i
const benign = walk(JSON.stringify({ id: 'evt_1' })).message

test('no event can add a header, a recipient, markup or a link to a mail, nor make it too long', async () => {
  const ordinary = await mailOf(benign)
  const ours = new Set(ordinary.mail.text?.split('\n'))
  await eachHostile(async (body) => {
    const { message } = walk(body)
    const { raw, mail } = await mailOf(message)
    expect(mail.headers.map(({ key }) => key).sort()).toEqual(
      ordinary.mail.headers.map(({ key }) => key).sort(),
    )
    expect(mail.to?.map((one) => one.address)).toEqual([envelope.to])
    expect([mail.cc, mail.bcc, mail.attachments]).toEqual([undefined, undefined, []])
    expect(raw.length).toBeLessThan(102_000)
    expect(raw.split(/\r?\n/).filter((line) => line.length > 998)).toEqual([])

    const page = mail.html ?? ''
    const links = Array.from(page.matchAll(/<a href="([^"]*)"/g), ([, href = '']) => entities(href))
    expect(unlinked(message, links)).toEqual([])
    const tags = new Set(Array.from(page.matchAll(/<\/?([a-z]\w*)/gi), ([, tag]) => tag))
    expect([...tags].filter((tag) => tag !== 'a' && !ordinary.mail.html?.includes(`<${tag}`))).toEqual([])

    const prose = (mail.text ?? '').split('\n').filter((line) => !ours.has(line) && !isLink(message, line))
    expect(prose.filter((line) => autoLinks.test(line))).toEqual([])
    expect(prose.filter((line) => terminalCommands.test(line.replace(/\r$/, '')))).toEqual([])
  }, 60)
})

test.each(['plain', 'slack', 'discord', 'email'] as const)(
  'no event can command the terminal that shows it as %s',
  async (as) => {
    const settings = { ...desk, type: 'console' as const, as }
    await eachHostile(async (body) => {
      const shown = await previewOf(walk(body).message, settings, { width: 80, colour: false })
      expect(terminalCommands.exec(shown)?.[0]).toBeUndefined()
      expect(shown.length).toBeLessThan(40_000)
    }, 60)
  },
)

async function mailOf(message: Message) {
  const { message: raw } = await composer.sendMail(formatEmail(message, envelope))
  const text = Buffer.isBuffer(raw) ? raw.toString('utf8') : ''
  return { raw: text, mail: await PostalMime.parse(text) }
}

/** Links that are not among those of the message. */
function unlinked({ links }: Message, found: string[]): string[] {
  return found.filter((url) => !links.some((link) => link.url === url))
}

function isLink({ links }: Message, line: string): boolean {
  return links.some(({ url }) => url === line.trim())
}

function entities(text: string): string {
  const signs: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>' }
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    return signs[name] ?? whole
  })
}

/** Discord's format writes the signs that could end a target in percent. */
function decodedUrl(url: string): string {
  return url.replace(/%(28|29|5C|3C|3E|60)/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

function objects(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objects)
  return Array.isArray(value) ? inner : [{ ...value }, ...inner]
}
