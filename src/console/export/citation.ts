import { minuteText, plain } from '../../platform/text.ts'

/** What a citation of an alert is made of. */
export interface CitedAlert {
  id: string
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

/** A suggestion that fits most styles: who, when, what, which, and where it can be seen. */
export function citationText(cited: CitedAlert): string {
  const { author, title, url, accessed } = cited
  const [year, month, day] = dateParts(issuedAt(cited))
  const seen = url === undefined ? '' : `. ${url} (seen ${accessed.slice(0, 10)})`
  return `${author}. (${year}, ${months[month - 1]} ${day}). ${title}. ${noteOf(cited)}${seen}`
}

/** As https://citationstyles.org has items: for Zotero, Pandoc and the like. */
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
function noteOf({ id, is, detectedAt, receivedAt, methodology, record, sha256 }: CitedAlert): string {
  const known = [
    ...(detectedAt === null ? [] : [`detected ${minuteText(detectedAt)}`]),
    ...(methodology === null ? [] : [`methodology ${methodology}`]),
  ]
  const which = `${is} ${plain(id)}${known.length === 0 ? '' : ` (${known.join('; ')})`}`
  return `${which}. ${record}, received ${minuteText(receivedAt)}; SHA-256 of its body ${sha256}`
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
