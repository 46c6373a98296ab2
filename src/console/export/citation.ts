import { alertPath, publicRoot } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import { version } from '../../config/version.ts'
import { type AlertEvent, isFinding } from '../../event/event.ts'
import type { Message } from '../../message/message.ts'
import { signedPoints } from '../../message/render/points.ts'
import { modelName, promptsOf } from '../../message/render/words.ts'
import { english } from '../../message/words/words.ts'
import { isLoopback } from '../../platform/outbound/address.ts'
import { minuteText, plain } from '../../platform/text.ts'
import { hashesOf, receivedOf } from '../../record/evidence/link.ts'
import type { ConsoleParts } from '../parts.ts'

type CitingParts = Pick<ConsoleParts, 'report' | 'config' | 'clock'>

/**
 * How an alert is cited as it stands now: that it was corrected or withdrawn is part of it. What the service reported is
 * cited in its own terms; sentences and levels of ours are none of its. What polling found is cited as ours.
 */
export async function citedOf(alert: AlertEvent, parts: CitingParts): Promise<CitedAlert> {
  const { id, detectedAt, receivedAt, methodology } = alert
  const report = await parts.report(alert)
  const config = parts.config()
  const service = config.monitor?.name ?? 'Censorship Monitoring Service'
  const program = `Bluepencil ${version()}`
  const url = pageOf(id, config)
  const other = report.about?.kind === 'alert' ? report.about.alsoReportedAs : null
  return {
    id,
    service,
    ...(isFinding(alert)
      ? {
          is: 'Finding',
          author: 'Bluepencil',
          title: report.headline.replace(/\.$/, ''),
          record: `Found by ${program} in the published figures of the ${service}`,
          ...(other !== null && { other: `The ${service} also reported this change, as ${plain(other)}` }),
        }
      : {
          is: 'Event',
          author: service,
          title: titleOf(alert, report),
          record: `As recorded by ${program}`,
        }),
    detectedAt,
    receivedAt,
    methodology,
    sha256: hashesOf(receivedOf(alert, null)).body,
    ...(url !== undefined && { url }),
    accessed: new Date(parts.clock.now()).toISOString(),
  }
}

/** What the service said, and what became of it. */
function titleOf({ type, model, category, delta }: AlertEvent, { about }: Message): string {
  const { say } = english
  const size = delta === null ? 'size not readable' : signedPoints(delta, english)
  const of = [modelName(model), promptsOf(category, english), size].join(', ')
  const headline = say('labelled', { label: say('typeName', { type: type ?? '' }), value: of })
  if (about?.kind !== 'alert' && about?.kind !== 'correction') return headline
  if (about.revisedBy !== null) return say('correctedHeadline', { headline })
  return about.kind === 'correction' ? say('correctionHeadline', { headline }) : headline
}

/** Nobody else reaches an address of this machine. */
function pageOf(id: string, { console }: Config): string | undefined {
  const root = console && publicRoot(console)
  return root === undefined || isLoopback(new URL(root).hostname) ? undefined : alertPath(root, id)
}

/** What a citation of an alert is made of. */
export interface CitedAlert {
  id: string
  /** The name of the monitoring service. */
  service: string
  is: 'Event' | 'Finding'
  /** Who said it: the service, or Bluepencil, which found it in the figures of the service. */
  author: string
  /** With what corrects or withdraws it. */
  title: string
  /** ISO 8601, UTC, as all times are. */
  detectedAt: string | null
  receivedAt: string
  methodology: string | null
  /** Who recorded or found it. */
  record: string
  /** Of a finding: as which event the service reported it, too, in a sentence. */
  other?: string
  /** Of the bytes that came, as the file of evidence has it. */
  sha256: string
  /** Its page, if others can reach that. */
  url?: string
  /** When somebody looks at it. */
  accessed: string
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** As APA style has a web page. */
export function citationText(cited: CitedAlert): string {
  const { author, title, url, accessed } = cited
  const [year, month, day] = dateParts(issuedAt(cited))
  const [yearSeen, monthSeen, daySeen] = dateParts(accessed)
  const retrieved = `Retrieved ${months[monthSeen - 1]} ${daySeen}, ${yearSeen}`
  const seen = url === undefined ? '' : ` ${retrieved}, from ${url}`
  return `${author}. (${year}, ${months[month - 1]} ${day}). ${title}. ${noteOf(cited)}.${seen}`
}

/** A file for Zotero, Pandoc and the like. */
export function cslFileOf(cited: CitedAlert): string {
  return JSON.stringify([cslOf(cited)], null, 2)
}

/** As https://citationstyles.org has items. */
export function cslOf(cited: CitedAlert): object {
  const { id, is, author, title, url, accessed } = cited
  return {
    id: keyOf(cited),
    type: 'webpage',
    author: [{ literal: author }],
    title,
    genre: is,
    number: plain(id),
    issued: { 'date-parts': [dateParts(issuedAt(cited))] },
    ...(url !== undefined && { accessed: { 'date-parts': [dateParts(accessed)] }, URL: url }),
    language: 'en',
    note: noteOf(cited),
  }
}

/** With the fields that both BibTeX and BibLaTeX know. */
export function bibtexOf(cited: CitedAlert): string {
  const { author, title, url, accessed } = cited
  const [year, month, day] = dateParts(issuedAt(cited))
  const name = months[month - 1]?.slice(0, 3).toLowerCase()
  const seen = url === undefined ? '' : `\n  url = {${url}},\n  urldate = {${accessed.slice(0, 10)}},`
  return `@misc{${keyOf(cited)},
  author = {{${escaped(author)}}},
  title = {{${escaped(title)}}},
  year = {${year}},
  month = ${name},
  day = {${day}},${seen}
  note = {${escaped(noteOf(cited))}}
}
`
}

/** Which event, on what method it rests, and by which bytes it is known again. */
function noteOf(cited: CitedAlert): string {
  const { id, is, detectedAt, receivedAt, methodology, record, other, sha256 } = cited
  const details = [
    ...(detectedAt === null ? [] : [`detected ${minuteText(detectedAt)}`]),
    ...(methodology === null ? [] : [`methodology ${methodology}`]),
  ]
  const which = `${is} ${plain(id)}${details.length === 0 ? '' : ` (${details.join('; ')})`}`
  const note = `${which}. ${record}, received ${minuteText(receivedAt)}; SHA-256 of its body ${sha256}`
  return other === undefined ? note : `${note}. ${other}`
}

function issuedAt({ detectedAt, receivedAt }: CitedAlert): string {
  return detectedAt ?? receivedAt
}

function dateParts(iso: string): [year: number, month: number, day: number] {
  const [year = 0, month = 0, day = 0] = iso.slice(0, 10).split('-').map(Number)
  return [year, month, day]
}

/** Letters that every program takes for a key. */
function keyOf({ id }: CitedAlert): string {
  return `bluepencil-${id.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}`
}

const signs: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  // BibTeX counts braces, also those behind a backslash.
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
}

/** Text in which TeX finds nothing to do. */
function escaped(text: string): string {
  return text.replaceAll(/[\\~^{}$&#%_]/g, (sign) => signs[sign] ?? `\\${sign}`)
}
