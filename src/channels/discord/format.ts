import { createHash } from 'node:crypto'
import type { Fact, Link, Message } from '../../message/message.ts'
import { type Words, wordsOf } from '../../message/words/words.ts'
import { hasFullName } from '../interaction.ts'
import { asIs, fit, type Mentions, mentionsFor } from './text.ts'

/** The buttons of an alert. The verb is part of what comes back with a click, and stays: older messages have it, too. */
const discordActions = {
  acknowledge: { verb: 'acknowledge', label: 'toAcknowledge' },
  silence: { verb: 'silence', label: 'toSilence' },
  history: { verb: 'history', label: 'toHistory' },
} as const

type DiscordActionVerb = (typeof discordActions)[keyof typeof discordActions]['verb']

const longestId = 100

/** What comes back with a click; undefined if the event's id is too long to come back whole. */
export function customId(verb: DiscordActionVerb, about: string): string | undefined {
  const id = `${verb} ${about}`
  return id.length <= longestId ? id : undefined
}

export function readCustomId(id: string): { verb: DiscordActionVerb; about: string } | undefined {
  const blank = id.indexOf(' ')
  const action = Object.values(discordActions).find(({ verb }) => verb === id.slice(0, blank))
  return action && { verb: action.verb, about: id.slice(blank + 1) }
}

/** The body of Create Message, as far as it is used (https://docs.discord.com/developers/resources/message). */
export interface DiscordPayload {
  content: string
  embeds: [DiscordEmbed]
  /** The people that the configuration names, and nobody else whom a text names. */
  allowed_mentions: Mentions['allowed']
  nonce: string
  enforce_nonce: true
  /** Only if somebody listens. */
  components?: DiscordRow[]
}

/** https://docs.discord.com/developers/components/reference#action-row */
interface DiscordRow {
  type: 1
  components: DiscordButton[]
}

/** Grey (2), or a link (5). */
type DiscordButton = { type: 2; label: string } & (
  | { style: 2; custom_id: string }
  | { style: 5; url: string }
)

interface DiscordEmbed {
  /** Small letters above the rest, without markup; a title would outshout the headline. */
  author: { name: string }
  description?: string
  /** 0xRRGGBB */
  color: number
  fields: DiscordField[]
  footer: { text: string }
  /** ISO 8601; Discord shows it in the reader's own time zone. */
  timestamp?: string
}

export interface DiscordField {
  name: string
  value: string
  inline: boolean
}

/**
 * Discord's limits, in characters (https://docs.discord.com/developers/resources/message#embed-object-embed-limits).
 * `footer`, `facts` and `caveats` are shares of ours, well inside its own.
 */
const limits = {
  content: 2_000,
  author: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
  embed: 6_000,
  footer: 512,
  facts: 1_400,
  caveats: 1_000,
}

/** Orange and blue differ for colour-blind readers too; the words always say what the colour says. */
const colours: Record<Message['tone'], number> = {
  rise: 0xe8590c,
  fall: 0x1971c2,
  neutral: 0x868e96,
  trouble: 0xe03131,
  over: 0x2f9e44,
}

/**
 * The headline is the message's text, since that is all that a push notification and the search show; the embed
 * adds the rest without saying it again. No flags: the one that stops link previews would also take our embed
 * away, and an alert should notify.
 *
 * `to` is the channel's id. It is part of the nonce, since Discord compares nonces by author and does not say that
 * it looks at the channel: the same event must reach two channels.
 */
export function formatDiscord(message: Message, to = ''): DiscordPayload {
  const { text, allowed } = mentionsFor(message.mentions ?? [])
  // If everyone may be notified, the text must not do so: a backslash is not documented to stop that.
  const headline = allowed.parse.length > 0 ? message.headline.replaceAll('@', '@\u200b') : message.headline
  return {
    content: text + fit(headline, limits.content - text.length),
    embeds: [embedOf(message)],
    allowed_mentions: allowed,
    nonce: hashOf(`${to} ${message.id}`),
    enforce_nonce: true,
    ...rowsOf(message),
  }
}

/** A row has five buttons at most. */
function rowsOf({ actions, links, language }: Message): Pick<DiscordPayload, 'components'> {
  if (actions === undefined) return {}
  const words = wordsOf(language)
  const does = Object.values(discordActions).flatMap(({ verb, label }): DiscordButton[] => {
    const id = customId(verb, actions.about)
    return id === undefined ? [] : [{ type: 2, style: 2, label: words.say(label), custom_id: id }]
  })
  const asButtons = links
    .filter(fitsButton)
    .map(({ label, url }): DiscordButton => ({ type: 2, style: 5, label: fit(label, 80, asIs), url }))
  const buttons = [...does, ...asButtons]
  const rows = [buttons.slice(0, 5), buttons.slice(5, 10)].filter((row) => row.length > 0)
  return rows.length === 0 ? {} : { components: rows.map((row) => ({ type: 1, components: row })) }
}

function fitsButton(link: Link): boolean {
  return link.url.length <= 512 && hasFullName(link)
}

/**
 * True if the footer is that of a message about this event. The comparison is with the whole id: `evt_1` is
 * not found in `evt_12`.
 */
export function footerNames(footer: string, eventId: string): boolean {
  return footer === markOf(eventId) || footer.endsWith(` ${markOf(eventId)}`)
}

function embedOf(message: Message): DiscordEmbed {
  const words = wordsOf(message.language)
  const author = { name: fit(message.kicker, limits.author, asIs) }
  const footer = { text: footerOf(message) }
  const links =
    message.actions === undefined ? message.links : message.links.filter((link) => !fitsButton(link))
  const fields = [...fieldsOf(message.facts), ...linksOf(links, words)]
  const used = fields.reduce((sum, field) => sum + field.name.length + field.value.length, 0)
  const room = Math.min(limits.description, limits.embed - author.name.length - footer.text.length - used)
  const description = descriptionOf(message, room, words)
  return {
    author,
    ...(description !== '' && { description }),
    color: colours[message.tone],
    fields,
    footer,
    ...timestampOf(message.happenedAt),
  }
}

/** What was said, then the caveats in a quote of their own, which a long text does not push out. */
function descriptionOf(message: Message, room: number, words: Words): string {
  const caveats = caveatsOf(message.caveats, words)
  const text = paragraphs(message.text, room - caveats.length - 2, '\n\n')
  return [text, caveats].filter((part) => part !== '').join('\n\n')
}

function caveatsOf(caveats: string[], words: Words): string {
  if (caveats.length === 0) return ''
  const heading = `> **${words.say('noteToEditors')}**\n> • `
  return heading + paragraphs(caveats, limits.caveats - heading.length, '\n> • ')
}

/** As many of the texts as fit, the last of them cut. */
function paragraphs(texts: string[], room: number, between: string): string {
  let all = ''
  for (const text of texts) {
    const start = all === '' ? '' : all + between
    if (start.length >= room) break
    all = start + fit(text, room - start.length)
  }
  return all
}

/**
 * One field for all links, after the facts: with the five of an alert it fills two rows of three. Discord makes no
 * link of a label that holds an address. An address is given whole or not at all: half of one leads elsewhere.
 */
function linksOf(links: Link[], words: Words): DiscordField[] {
  let value = ''
  for (const link of links) {
    const label = fit(link.label, 100)
    const linked = `[${label}](${linkTarget(link.url)})`
    const between = value === '' ? '' : ' · '
    const left = limits.fieldValue - value.length - between.length
    const tooLong = words.say('addressTooLong', { label, place: 'Discord' })
    const shown = linked.length <= left ? linked : tooLong
    if (shown.length <= left) value += between + shown
  }
  return value === '' ? [] : [{ name: words.say('readMore'), value, inline: true }]
}

/** `URL` leaves these as they are, and each of them could end the target or start something else. */
function linkTarget(url: string): string {
  return url.replace(/[()\\<>`]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function fieldsOf(facts: Fact[]): DiscordField[] {
  const fields: DiscordField[] = []
  let room = limits.facts
  for (const fact of facts.slice(0, limits.fields - 1)) {
    const name = fit(fact.label, limits.fieldName)
    if (room <= name.length) break
    const value = fit(fact.value, Math.min(limits.fieldValue, room - name.length))
    room -= name.length + value.length
    fields.push({ name, value, inline: fact.value.length <= 40 })
  }
  return fields
}

/** Ends with the event's id, by which an earlier try is recognised. Discord reads no markup in a footer. */
function footerOf(message: Message): string {
  const mark = markOf(message.id)
  const source = fit(message.source, limits.footer - mark.length - 3, asIs)
  return source.endsWith(` ${mark}`) ? source : `${source} · ${mark}`
}

/** The id itself, or a hash if it is not a plain word of a sensible length. */
function markOf(eventId: string): string {
  return /^[!-~]{1,100}$/.test(eventId) ? eventId : hashOf(eventId)
}

/** The same on every try, and of the 25 characters that a nonce may have. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 25)
}

/** Discord reads years of four digits only. */
function timestampOf(at: number): { timestamp?: string } {
  const readable = at >= 0 && at < Date.UTC(10_000, 0)
  return readable ? { timestamp: new Date(at).toISOString() } : {}
}
