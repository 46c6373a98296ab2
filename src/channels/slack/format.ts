import { createHash } from 'node:crypto'
import type { Actions, Fact, Link, Message } from '../../message/message.ts'
import { type Words, wordsOf } from '../../message/words/words.ts'
import { hasFullName } from '../interaction.ts'
import { linkAction, slackActions } from './manifest.ts'
import { cut, escapeControl, mentionMarkup, plain } from './text.ts'

/**
 * What leaves for Slack: the arguments of chat.postMessage but for the channel. The types name only the
 * blocks and elements that the format uses; one of them alone can mention somebody, and holds nothing else.
 * https://docs.slack.dev/reference/block-kit/blocks
 */
export interface SlackPayload {
  /** Escaped. Notifications show it and screen readers read it, instead of the blocks. */
  text: string
  blocks: SlackBlock[]
  /** Finds the message again after a crash (https://docs.slack.dev/messaging/message-metadata). */
  metadata: { event_type: 'bluepencil_alert'; event_payload: { event_id: string } }
  mrkdwn: false
  parse: 'none'
  link_names: false
  unfurl_links: false
  unfurl_media: false
}

export type SlackBlock = HeaderBlock | SectionBlock | RichTextBlock | ContextBlock | ActionsBlock

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
interface ActionsBlock {
  type: 'actions'
  elements: SlackButton[]
}

interface SlackButton {
  type: 'button'
  action_id: string
  text: PlainText
  /** What comes back with a click: the event's id. */
  value?: string
  /** It is opened, and the click is reported all the same. */
  url?: string
}

interface HeaderBlock {
  type: 'header'
  text: PlainText
}

export interface SectionBlock {
  type: 'section'
  /** Markup is for mentions. */
  text?: PlainText | Markup
  /** Two columns, row by row: a label, its value, the next label. */
  fields?: (PlainText | Markup)[]
}

export interface RichTextBlock {
  type: 'rich_text'
  elements: { type: 'rich_text_section' | 'rich_text_quote'; elements: RichTextElement[] }[]
}

interface ContextBlock {
  type: 'context'
  elements: PlainText[]
}

/** `emoji: false` keeps `:name:` as it is written. */
export interface PlainText {
  type: 'plain_text'
  text: string
  emoji: false
}

/** Slack's own markup; for words of ours that hold none of its signs. `verbatim` links nothing. */
export interface Markup {
  type: 'mrkdwn'
  text: string
  verbatim: true
}

export type RichTextElement =
  | { type: 'text'; text: string; style?: { bold: true } }
  | { type: 'link'; url: string; text: string }

/**
 * How much of each part is shown, in characters. Slack's own limits are 150 for a header, 3,000 for a text and
 * 10 × 2,000 for the fields of a section. It also refuses a message if all its blocks together have more than about
 * 12,000 (`msg_blocks_too_long`, not documented: github.com/slackapi/bolt-js/issues/2509). The sum of these stays below
 * 10,000.
 */
const room = {
  kicker: 150,
  header: 150,
  headline: 500,
  text: 2500,
  facts: 10,
  label: 40,
  value: 160,
  caveats: 1200,
  links: 5,
  linkLabel: 75,
  urls: 3000,
  source: 300,
  notification: 3000,
}

/** Five labels and their values fill a section. */
const factsInSection = 5

const marks: Record<Message['tone'], string> = { rise: '▲', fall: '▼', neutral: '◆', trouble: '⚠', over: '✓' }

/**
 * Draws a message in Block Kit. Only the configuration says whom it mentions. Text of the service stands only in `plain_text`
 * and in rich-text `text` elements, which Slack shows as they are: no mention, link, emoji code or markup works there. Links are
 * rich-text links: a link button posts to the app too, and if the app listens nowhere, Slack warns the person who
 * pressed it (github.com/slackapi/slack-github-action/issues/513). If somebody listens, they are buttons.
 */
export function formatSlack(message: Message): SlackPayload {
  const words = wordsOf(message.language)
  return {
    text: [...ringing(message), notification(message, words)].join(' '),
    blocks: [
      kicker(message),
      ...headline(message.headline),
      ...mentions(message),
      ...paragraphs(message.text),
      ...facts(message.facts),
      ...links(
        message.actions === undefined ? message.links : message.links.filter((link) => !fits(link)),
        words,
      ),
      ...caveats(message.caveats, words),
      ...(message.actions === undefined ? [] : buttons(message.actions, message.links, words)),
      ...context(message, words),
    ],
    metadata: { event_type: 'bluepencil_alert', event_payload: { event_id: metadataId(message.id) } },
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  }
}

/** The event's id as metadata can hold it: an id may be anything that the service wrote. */
export function metadataId(eventId: string): string {
  if (/^[!-~]{1,200}$/.test(eventId)) return eventId
  return `sha256_${createHash('sha256').update(eventId).digest('hex')}`
}

function notification(message: Message, words: Words): string {
  const lines = [
    plain(message.headline) || plain(message.kicker),
    ...message.text.map(plain),
    readable(message.facts)
      .map((fact) => words.say('labelled', fact))
      .join(' · '),
    ...message.caveats.map(plain),
  ]
  return escapeControl(cut(lines.filter(Boolean).join('\n') || words.say('alert'), room.notification))
}

/** Small, above the headline, as on a page. */
function kicker({ tone, kicker }: Message): SlackBlock {
  const text = `${marks[tone]} ${plain(kicker)}`.trim()
  return { type: 'context', elements: [plainText(text, room.kicker)] }
}

/** A headline that is too long for Slack's largest letters is written in the next smaller ones instead of being cut. */
function headline(written: string): SlackBlock[] {
  const text = plain(written)
  if (text === '') return []
  if (escapeControl(text).length <= room.header) {
    return [{ type: 'header', text: plainText(text, room.header) }]
  }
  const elements = [bold(cut(text, room.headline))]
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]
}

/** Ids of the configuration alone: none has a sign of Slack's markup in it. */
function ringing({ mentions = [] }: Message): string[] {
  return mentions.map(mentionMarkup)
}

/** A mention notifies only if it stands in a block. */
function mentions(message: Message): SlackBlock[] {
  const text = ringing(message).join(' ')
  return text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }]
}

function paragraphs(text: string[]): SlackBlock[] {
  const all = text.map(plain).filter(Boolean).join('\n\n')
  return all === '' ? [] : [{ type: 'section', text: plainText(all, room.text) }]
}

function facts(all: Fact[]): SlackBlock[] {
  const fields = readable(all)
    .slice(0, room.facts)
    .map((fact) => [label(fact.label), plainText(fact.value, room.value)])
  const sections: SlackBlock[] = []
  for (let first = 0; first < fields.length; first += factsInSection) {
    sections.push({ type: 'section', fields: fields.slice(first, first + factsInSection).flat() })
  }
  return sections
}

function readable(all: Fact[]): Fact[] {
  return all
    .map((fact) => ({ label: plain(fact.label), value: plain(fact.value) }))
    .filter((fact) => fact.label !== '' && fact.value !== '')
}

/** Bold needs Slack's markup, so only a label without any is bold. */
function label(text: string): PlainText | Markup {
  const short = cut(text, room.label)
  if (!/^[\p{L}\p{N}%-]+([ \u00a0][\p{L}\p{N}%-]+)*$/u.test(short)) return plainText(short, room.label)
  return { type: 'mrkdwn', text: `*${short}*`, verbatim: true }
}

function caveats(all: string[], words: Words): SlackBlock[] {
  const lines = all.map(plain).filter(Boolean)
  if (lines.length === 0) return []
  const text = cut(lines.map((line) => `• ${line}`).join('\n'), room.caveats)
  const elements = [bold(`${words.say('noteToEditors')}\n`), { type: 'text', text } as const]
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_quote', elements }] }]
}

/** An address is shown whole or not at all: half of one leads elsewhere. */
function links(all: Link[], words: Words): SlackBlock[] {
  const elements: RichTextElement[] = []
  let left = room.urls
  for (const link of all.slice(0, room.links)) {
    if (elements.length > 0) elements.push({ type: 'text', text: '  ·  ' })
    const text = cut(plain(link.label), room.linkLabel) || words.say('link')
    const length = escapeControl(link.url).length
    if (length > left) {
      elements.push({ type: 'text', text: words.say('addressTooLong', { label: text, place: 'Slack' }) })
      continue
    }
    left -= length
    elements.push({ type: 'link', url: link.url, text })
  }
  if (elements.length === 0) return []
  return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]
}

/** What comes back with a click may have 2,000 characters; an address on a button 3,000. */
const longestValue = 2000

function buttons({ about }: Actions, all: Link[], words: Words): SlackBlock[] {
  const does = about.length > longestValue ? [] : Object.values(slackActions)
  const elements = [
    ...does.map(({ id, label: name }) => button(id, words.say(name), { value: about })),
    ...all
      .filter(fits)
      .slice(0, room.links)
      .map(({ label: text, url }, index) =>
        button(`${linkAction}${index}`, plain(text) || words.say('link'), { url }),
      ),
  ]
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

/** What does not fit on a button stands among the links. */
function fits(link: Link): boolean {
  return escapeControl(link.url).length <= room.urls && hasFullName(link)
}

function button(id: string, text: string, more: { value: string } | { url: string }): SlackButton {
  return { type: 'button', action_id: id, text: plainText(text, room.linkLabel), ...more }
}

function context(message: Message, words: Words): SlackBlock[] {
  const hidden = readable(message.facts).length - room.facts
  const more = hidden > 0 ? words.say('moreFacts', { count: hidden }) : ''
  const elements = [more, plain(message.source)].filter(Boolean)
  if (elements.length === 0) return []
  return [{ type: 'context', elements: elements.map((text) => plainText(text, room.source)) }]
}

function bold(text: string): RichTextElement {
  return { type: 'text', text, style: { bold: true } }
}

export function plainText(text: string, limit: number): PlainText {
  return { type: 'plain_text', text: cut(text, limit), emoji: false }
}
