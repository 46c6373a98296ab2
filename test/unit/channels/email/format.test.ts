import * as fc from 'fast-check'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { type Envelope, formatEmail, unlink } from '../../../../src/channels/email/format.ts'
import type { Message } from '../../../../src/message/message.ts'
import { runs } from '../../../support/runs.ts'
import { spike } from './messages.ts'

const envelope: Envelope = {
  from: { name: 'Bluepencil', address: 'alerts@news.example' },
  replyTo: { name: '', address: 'desk-lead@news.example' },
  to: 'a@news.example',
  channel: 'ai-desk',
  domain: 'news.example',
}

const composer = createTransport({ streamTransport: true, buffer: true })

async function rawOf(message: Message, over: Partial<Envelope> = {}): Promise<string> {
  const { message: raw } = await composer.sendMail(formatEmail(message, { ...envelope, ...over }))
  return Buffer.isBuffer(raw) ? raw.toString('utf8') : ''
}

async function read(message: Message) {
  const mail = await PostalMime.parse(await rawOf(message))
  return {
    mail,
    headers: mail.headers.map(({ key }) => key).sort(),
    html: mail.html ?? '',
    text: mail.text ?? '',
  }
}

const expectedHeaders = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'in-reply-to',
  'list-id',
  'list-unsubscribe',
  'message-id',
  'mime-version',
  'references',
  'reply-to',
  'subject',
  'to',
  'x-auto-response-suppress',
]

describe('a mail', () => {
  test('has its sender, its subject and its thread in the headers', async () => {
    const { mail, headers } = await read(spike)
    expect(headers).toEqual(expectedHeaders)
    expect(mail.subject).toBe(spike.headline)
    expect(mail.from).toMatchObject({ name: 'Bluepencil', address: 'alerts@news.example' })
    expect(mail.to?.map(({ address }) => address)).toEqual([envelope.to])
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(['desk-lead@news.example'])
    const raw = `\n${await rawOf(spike)}`
    expect(raw).toContain('\nList-ID: "Bluepencil ai-desk" <bluepencil.ai-desk.news.example>\r\n')
    expect(raw).toContain('\nAuto-Submitted: auto-generated\r\n')
    expect(raw).toContain('\nX-Auto-Response-Suppress: All\r\n')
    expect(raw).toContain('\nContent-Type: multipart/alternative;')
  })

  test('has the same words as text and as a page', async () => {
    const { text, html } = await read(spike)
    const texts = [
      spike.headline,
      ...spike.facts.map(({ value }) => value),
      ...spike.links.map(({ url }) => url),
      ...spike.caveats,
      'listed for the Bluepencil channel ai-desk',
      'desk-lead',
    ]
    const flat = text.replace(/\s+/g, ' ')
    const page = html
      .replace(/&#x2F;/g, '/')
      .replace(/&#x3D;/g, '=')
      .replace(/&amp;/g, '&')
    for (const words of texts) {
      expect(flat).toContain(words)
      expect(page).toContain(words)
    }
  })

  test('says the same in the same order in both parts, and in its text each link has a line', async () => {
    const mail = formatEmail(spike, { ...envelope, unsubscribe: 'https://alerts.news.example/unsubscribe/x' })
    const body = mail.html
      .slice(mail.html.indexOf('<body'))
      .replace(
        /&#x2F;|&#x3D;|&amp;/g,
        (entity) => ({ '&#x2F;': '/', '&#x3D;': '=', '&amp;': '&' })[entity] ?? entity,
      )
    // Of each, what no line break falls into.
    const texts = [
      spike.headline.slice(0, 20),
      'The refusal rate rose',
      ...spike.facts.flatMap(({ label }) => [label]),
      'Methodology',
      'https://monitor.example/methodology?v=1&x=2',
      'Note to editors',
      'The service gives no baseline',
      'Reported by the',
      'You get this mail',
      'To change what you get',
      'https://alerts.news.example/unsubscribe/x',
    ]
    for (const part of [mail.text, body.slice(body.indexOf('<h1'))]) {
      let from = 0
      const missing = texts.filter((words) => {
        const at = part.indexOf(words, from)
        if (at !== -1) from = at + 1
        return at === -1
      })
      expect(missing).toEqual([])
    }
    const lines = mail.text.split('\n')
    for (const link of lines.filter((line) => line.includes('://'))) expect(link).toMatch(/^https:\/\/\S+$/)
    for (const prose of lines.filter((line) => !line.includes('://'))) {
      expect(stringWidth(prose)).toBeLessThanOrEqual(76)
    }
  })

  test.each([
    ['light', /^(?:(?!@media)[\s\S])*/, '#ffffff', '#f6efd9'],
    ['dark', /@media \(prefers-color-scheme: ?dark\)[\s\S]*?<\/style>/, '#16181b', '#2a2619'],
  ])('can be read in the %s: its colours hold on their ground', (_, part, ground, caveat) => {
    const { html } = formatEmail(spike, envelope)
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    const [, styles = ''] = html.split(/<style type="text\/css">(?=\s*:root)/)
    const [rules = ''] = part.exec(styles) ?? []
    const inks = [...rules.matchAll(/([^{}]*)\{[^}]*?(?<![-\w])color: ?(#[0-9a-f]{6})/g)]
    expect(inks.length).toBeGreaterThan(4)
    const weak = inks.filter(([, selector = '', ink = '']) => {
      return contrast(ink, selector.includes('.caveat') ? caveat : ground) < 4.5
    })
    expect(weak.map(([rule]) => rule)).toEqual([])
  })

  test('keeps its Message-ID on every try, and has another one for another reader, channel or event', () => {
    const id = (message: Message, channel = 'ai-desk', to = envelope.to) =>
      formatEmail(message, { ...envelope, channel, to }).messageId
    expect(id(spike)).toBe(id({ ...spike, headline: 'Said anew' }))
    expect(id(spike)).toMatch(/^<bluepencil\.[0-9a-f]{32}\.[0-9a-f]{16}@news\.example>$/)
    const ids = [
      id(spike),
      id(spike, 'politics'),
      id({ ...spike, id: 'evt_other' }),
      id(spike, 'ai-desk', 'b@news.example'),
    ]
    expect(new Set(ids).size).toBe(4)
  })

  test('is in one thread with others of its model and category in the same channel', () => {
    const root = (message: Message, channel = 'ai-desk', to = envelope.to) =>
      formatEmail(message, { ...envelope, channel, to }).references
    expect(root(spike)).toBe(root({ ...spike, id: 'evt_other' }))
    expect(root(spike, 'ai-desk', 'b@news.example')).toBe(root(spike))
    expect(root(spike)).toBe(formatEmail(spike, envelope).inReplyTo)
    expect(root(spike)).not.toBe(root({ ...spike, thread: 'claude/safety' }))
    expect(root(spike)).not.toBe(root(spike, 'politics'))
    expect(root(spike)).not.toBe(formatEmail(spike, envelope).messageId)
  })

  test('loads nothing from anywhere, and links only to the links of the message', async () => {
    const { html } = await read(spike)
    expect(html).not.toMatch(/<(img|link|script|iframe|form)|@import|url\(|\ssrc=/i)
    expect(html.match(/<a [^>]*>/g)).toEqual([
      '<a href="https:&#x2F;&#x2F;monitor.example&#x2F;methodology?v&#x3D;1&amp;x&#x3D;2">',
    ])
  })

  test('says whom to write to if there is no address for replies', () => {
    const { replyTo: _, ...without } = envelope
    const payload = formatEmail(spike, without)
    expect(payload).not.toHaveProperty('replyTo')
    expect(payload.text).toContain('write to alerts@news.example.')
  })
})

describe('a picture', () => {
  const picture = {
    png: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    title: 'The last 90 days',
    alt: 'Claude: "political" prompts <b>refused</b>.',
  }

  test('stands inside the page, and the text part says the same', async () => {
    const mail = await PostalMime.parse(await rawOf(spike, { picture }))
    const [part, ...more] = mail.attachments
    expect(more).toEqual([])
    expect(part).toMatchObject({
      mimeType: 'image/png',
      disposition: 'inline',
      related: true,
      filename: 'chart.png',
    })
    expect(new Uint8Array(part?.content as ArrayBuffer)).toEqual(picture.png)
    const cid = part?.contentId?.replace(/^<|>$/g, '')
    expect(cid).toMatch(/^bluepencil\.chart\.[0-9a-f]{32}@news\.example$/)
    expect(mail.html?.match(/<img [^>]*>/g)).toEqual([expect.stringContaining(`src="cid:${cid}"`)])
    expect(mail.html).toContain(
      'alt="Claude: &quot;political&quot; prompts &lt;b&gt;refused&lt;&#x2F;b&gt;."',
    )
    expect(mail.text).toContain('Chart: Claude: "political" prompts <b>refused</b>.')
  })

  test('changes nothing of who, what and which mail it is', () => {
    const [plain, pictured] = [formatEmail(spike, envelope), formatEmail(spike, { ...envelope, picture })]
    expect({ ...pictured, html: '', text: '', attachments: 0 }).toEqual({
      ...plain,
      html: '',
      text: '',
      attachments: 0,
    })
  })
})

describe('the way out', () => {
  const link = 'https://alerts.news.example/unsubscribe/dG9rZW4'

  test('is a click where there is an address for it, in the headers and in both parts', async () => {
    const raw = `\n${await rawOf(spike, { unsubscribe: link })}`.replaceAll('\r\n ', ' ')
    expect(raw).toContain(`\nList-Unsubscribe: <${link}>\r\n`)
    expect(raw).toContain('\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
    const { html, text } = formatEmail(spike, { ...envelope, unsubscribe: link })
    expect(text.split('\n')).toContain(link)
    expect(html.replaceAll('&#x2F;', '/')).toContain(`<a href="${link}">Unsubscribe</a>`)
  })

  test('is a mail to who answers where there is none', async () => {
    const raw = `\n${await rawOf(spike)}`.replaceAll('\r\n ', ' ')
    expect(raw).toContain(
      '\nList-Unsubscribe: <mailto:desk-lead@news.example?subject=unsubscribe%20ai-desk>\r\n',
    )
    expect(raw).not.toContain('List-Unsubscribe-Post')
    const odd = { replyTo: { name: '', address: 'a+b%c@news.example' } }
    expect(await rawOf(spike, odd)).toContain('<mailto:a%2Bb%25c@news.example?subject=')
  })
})

describe('text that means harm', () => {
  const nasty = [
    'x\r\nBcc: victim@evil.example\r\n\r\n<h1>body</h1>',
    '<script>alert(1)</script><a href="https://evil.example">here</a>',
    'see https://evil.example, www.evil.example, evil.example or mailto:a@evil.example',
    '{{{headline}}} {{#text}} {{>partial}}',
    '\u202egnp.exe\u2066\u200f\u0000\u001b[31m\u0085\u2028',
    '\ud800 lone \udfff',
    'long '.repeat(20_000),
    `e${'\u0301'.repeat(100_000)}`,
    '"; Content-Type: text/x-evil',
    '=?utf-8?q?encoded?=',
    '.\r\n.\r\nQUIT',
  ]

  test.each(nasty.map((text) => [text.slice(0, 40), text]))(
    '%j cannot mark up, link or add a header',
    async (_, text) => {
      const { mail, headers, html } = await read({
        ...spike,
        id: text,
        thread: text,
        kicker: text,
        headline: text,
        text: [text, text],
        facts: [{ label: text, value: text }],
        links: [
          { label: text, url: 'https://monitor.example/' },
          { label: 'x', url: `javascript:${text}` },
        ],
        caveats: [text],
        source: text,
      })
      expect(headers).toEqual(expectedHeaders)
      expect(mail.to?.map(({ address }) => address)).toEqual([envelope.to])
      expect(html.match(/<(a|h1|script)\b/g)).toEqual(['<h1', '<a'])
      expect(html).not.toMatch(/evil\.example|javascript:|[\u202a-\u202e\u2066-\u2069]/)
      expect(mail.text).not.toMatch(/evil\.example|a@|https:\/\/evil|www\.|javascript:/)
      expect(mail.text).not.toMatch(/[\p{Cc}--[\n\r]]|[\u202a-\u202e\u2066-\u2069\u200f]/v)
      expect(Array.from(new Intl.Segmenter().segment(mail.subject ?? '')).length).toBeLessThanOrEqual(150)
    },
  )

  test('stays below the size at which Gmail cuts a mail, however long the text is', async () => {
    const long = 'word '.repeat(20_000)
    const raw = await rawOf({
      ...spike,
      headline: long,
      text: Array.from({ length: 500 }, () => long),
      facts: Array.from({ length: 500 }, () => ({ label: long, value: long })),
      caveats: Array.from({ length: 500 }, () => long),
      links: Array.from({ length: 500 }, () => ({
        label: long,
        url: `https://monitor.example/${'x'.repeat(1500)}`,
      })),
      source: long,
    })
    expect(raw.length).toBeLessThan(200_000)
    const { html } = formatEmail({ ...spike, text: Array.from({ length: 500 }, () => long) }, envelope)
    expect(Buffer.byteLength(html)).toBeLessThan(102_000)
  })

  test('an address that is too long to be shown is left out, not cut', () => {
    const { html, text } = formatEmail(
      { ...spike, links: [{ label: 'Long', url: `https://monitor.example/${'x'.repeat(5000)}` }] },
      envelope,
    )
    expect(html).not.toContain('<a ')
    expect(text).not.toContain('xxx')
  })

  test('any message gives a mail that reads back with exactly these headers', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...nasty.slice(0, 6)),
    )
    const anyMessage: fc.Arbitrary<Message> = fc.record({
      id: text,
      thread: text,
      tone: fc.constantFrom('rise', 'fall', 'neutral', 'trouble', 'over'),
      kicker: text,
      headline: text,
      text: fc.array(text, { maxLength: 4 }),
      facts: fc.array(fc.record({ label: text, value: text }), { maxLength: 4 }),
      links: fc.array(fc.record({ label: text, url: fc.oneof(fc.webUrl(), text) }), { maxLength: 4 }),
      caveats: fc.array(text, { maxLength: 4 }),
      source: text,
      happenedAt: fc.integer(),
    })
    await fc.assert(
      fc.asyncProperty(anyMessage, async (message) => {
        const { headers, html, text: plain } = await read(message)
        // A subject without a word to show is not written at all.
        expect([...new Set([...headers, 'subject'])].sort()).toEqual(expectedHeaders)
        expect(html.match(/<h1/g)).toHaveLength(1)
        expect(html.match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(message.links.length)
        const prose = plain.split('\n').filter((line) => !/^https?:/.test(line))
        for (const line of prose) expect(stringWidth(line.trimEnd())).toBeLessThanOrEqual(76)
      }),
      runs(),
    )
  }, 300_000)
})

describe('words', () => {
  test.each([
    ['GPT-4.5 at 11:02: 3.5 points', 'GPT-4.5 at 11:02: 3.5 points'],
    ['a@b.example', 'a\u200b@b\u200b.example'],
    ['HTTPS://x.y', 'HTTPS\u200b://x\u200b.y'],
    ['www.x.рф', 'www\u200b.x\u200b.рф'],
    ['tel:+49', 'tel\u200b:+49'],
    ['www.…', 'www\u200b.…'],
    ['x www.', 'x www\u200b.'],
    ['End. Next', 'End. Next'],
    ['slack.token.evil.example', 'slack\u200b.token\u200b.evil\u200b.example'],
    ['evil.example.json', 'evil\u200b.example\u200b.json'],
    ['server.host', 'server\u200b.host'],
  ])('%j cannot be taken for a link', (text, safe) => {
    expect(unlink(text)).toBe(safe)
  })

  test.each([
    'put a token into slack.token.',
    'segments/000001.json is kept as segments/000001.json.damaged-1',
    'set monitor.apiKey, webhook.publicUrl or console.listen.port in config/bluepencil.yaml',
    'state.json, 000002.journal and console.sqlite',
  ])('what people copy from %j has nothing in it that is not seen', (text) => {
    expect(unlink(text)).toBe(text)
  })
})

/** WCAG 2, 1.4.3: 4.5 is enough for any text. */
function contrast(...colours: [string, string]): number {
  const [dark = 0, light = 0] = colours.map(luminance).sort((one, other) => one - other)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
