import { describe, expect, test } from 'vitest'
import { previewOf } from '../../../../src/channels/console/channel.ts'
import { ConsoleSettings } from '../../../../src/channels/console/config.ts'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import { formatEmail } from '../../../../src/channels/email/format.ts'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { formatEdit, formatWebhook } from '../../../../src/channels/webhook/format.ts'
import type { Message } from '../../../../src/message/message.ts'
import { languages } from '../../../../src/message/words/phrases.ts'
import { loadWords } from '../../../../src/message/words/words.ts'
import { foreignIn } from '../words/of-language.ts'
import { everything, headlines, recorded } from './said-in.ts'

await loadWords(languages)

/** What people did about a message edits it. */
const atOnce = { since: '2026-11-21T14:05:33.000Z', now: Date.parse('2026-11-23T13:05:00.000Z') }

const envelope = {
  from: { name: 'Bluepencil', address: 'alerts@news.example' },
  to: 'desk@news.example',
  channel: 'desk',
  domain: 'news.example',
}

describe.each(languages.filter((one) => one !== 'en'))('in %s', (language) => {
  test('every word that reaches a reader is of the language, a name or an id', async () => {
    const unknown = new Map<string, string>()
    for (const [about, message] of await everything(language)) {
      for (const [place, text] of shownOf(message))
        for (const word of foreignIn(language, text)) unknown.set(word, `${place}, ${about}`)
    }
    expect(Object.fromEntries(unknown)).toEqual({})
  })

  test('so is every word of every headline, and of what follows from it', () => {
    const texts = new Set(headlines(language).flatMap(saidIn))
    expect(texts.size).toBeGreaterThan(500)
    expect([...texts].filter((text) => foreignIn(language, text).length > 0)).toEqual([])
  })

  test('what a terminal draws is of the language, too', async () => {
    const unknown = new Map<string, string>()
    for (const [kind, message] of Object.entries(recorded(language)))
      for (const as of ['plain', 'slack', 'discord', 'email'] as const) {
        const settings = ConsoleSettings.parse({ name: 'desk', type: 'console', as, language })
        const drawn = await previewOf(message, settings, { width: 100, colour: false })
        for (const word of foreignIn(language, drawn)) unknown.set(word, `${kind} as ${as}`)
      }
    expect(Object.fromEntries(unknown)).toEqual({})
  })

  test('a mail says which language it is in', () => {
    const { alert } = recorded(language)
    const html = alert && formatEmail(alert, envelope).html
    expect(html).toMatch(new RegExp(`<html lang="${language}"`))
    expect(html?.match(/ lang="(\w+)"/g)).toEqual([` lang="${language}"`, ` lang="${language}"`])
  })
})

test.each(languages)('as mails, it is recorded in %s', async (language) => {
  const mails = Object.entries(recorded(language)).map(([kind, message]) => {
    const { subject, text } = formatEmail(message, envelope)
    return `=== ${kind}\nSubject: ${subject}\n\n${text}`
  })
  await expect(mails.join('\n')).toMatchFileSnapshot(`payloads/${language}.mail.txt`)
})

// docs/renderings records the payloads in English. The other languages differ in their words alone.
describe('as it is recorded in German', () => {
  const language = 'de'
  const messages = Object.entries(recorded(language))

  test('for Slack', async () => {
    await expect(json(messages, formatSlack)).toMatchFileSnapshot(`payloads/${language}.slack.json`)
  })

  test('for Discord', async () => {
    await expect(json(messages, formatDiscord)).toMatchFileSnapshot(`payloads/${language}.discord.json`)
  })

  test('for a webhook', async () => {
    const format = (message: Message) =>
      message.actions === undefined ? formatWebhook(message).body : formatEdit(message, atOnce).body
    await expect(json(messages, format)).toMatchFileSnapshot(`payloads/${language}.webhook.json`)
  })

  test('in a terminal', async () => {
    const settings = ConsoleSettings.parse({ name: 'desk', type: 'console', language })
    const drawn = messages.map(([, message]) => previewOf(message, settings, { width: 100, colour: false }))
    await expect((await Promise.all(drawn)).join('\n\n')).toMatchFileSnapshot(
      `payloads/${language}.console.txt`,
    )
  })
})

function json(messages: [string, Message][], format: (message: Message) => object): string {
  const payloads = Object.fromEntries(messages.map(([kind, message]) => [kind, format(message)]))
  return `${JSON.stringify(payloads, null, 2)}\n`
}

/** All that readers see of it, by the place. */
function shownOf(message: Message): [string, string][] {
  const { subject, text, html } = formatEmail(message, envelope)
  return [
    ['Slack', textsOf(formatSlack(message)).join('\n')],
    ['Discord', textsOf(formatDiscord(message)).join('\n')],
    ['mail', `${subject}\n${text}\n${visible(html)}`],
  ]
}

function saidIn({ kicker, headline, text, facts, links, caveats, source }: Message): string[] {
  const labels = [...facts.flatMap(({ label, value }) => [label, value]), ...links.map(({ label }) => label)]
  return [kicker, headline, ...text, ...labels, ...caveats, source]
}

/** Of a payload, the values that are texts. */
const shownKeys = new Set(['text', 'content', 'name', 'value', 'description'])

function textsOf(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null) return []
  return Object.entries(payload).flatMap(([key, value]) =>
    typeof value === 'string' ? (shownKeys.has(key) ? [value] : []) : textsOf(value),
  )
}

function visible(html: string): string {
  return html
    .replace(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, ' ')
    .replace(/ (?:aria-label|alt|title)="([^"]*)"/g, '>$1<i')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, ' ')
}
