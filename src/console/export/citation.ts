import { minuteText } from '../../text/minute.ts'
import { plain } from '../../text/plain.ts'

/** What a citation of an alert is made of. */
export interface Cited {
  id: string
  /** Who said it: the service, or Bluepencil, which found it in the figures of the service. */
  author: string
  /** As it reads now: with what corrects or withdraws it. */
  headline: string
  /** ISO 8601, UTC; when it was seen, else when it was received. */
  issued: string
  receivedAt: string
  url: string
  /** Hash of what the service said. */
  content: string | undefined
  /** When somebody looks at it; ISO 8601, UTC. */
  accessed: string
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** A suggestion that fits most styles: who, when, what, which, and where it can be seen. */
export function citationText(cited: Cited): string {
  const { author, headline, issued, receivedAt, url, accessed } = cited
  const [year, month, day] = dateParts(issued)
  const received = `Received ${minuteText(receivedAt)}`
  const seen = accessed.slice(0, 10)
  return `${author}. (${year}, ${months[month - 1]} ${day}). ${headline} [Alert ${plain(cited.id)}]. ${received}${hashOf(cited)}. ${url} (seen ${seen})`
}

/** As https://citationstyles.org has items: for Zotero, Pandoc and the like. */
export function cslOf(cited: Cited): object {
  const { author, headline, issued, receivedAt, url, accessed } = cited
  return {
    id: keyOf(cited),
    type: 'webpage',
    author: [{ literal: author }],
    title: headline,
    genre: 'Alert',
    number: plain(cited.id),
    issued: { 'date-parts': [dateParts(issued)] },
    accessed: { 'date-parts': [dateParts(accessed)] },
    URL: url,
    language: 'en',
    note: `Alert ${plain(cited.id)}. Received ${minuteText(receivedAt)}${hashOf(cited)}`,
  }
}

/** With the fields that both BibTeX and BibLaTeX know. */
export function bibtexOf(cited: Cited): string {
  const { author, headline, issued, receivedAt, url, accessed } = cited
  const [year, month, day] = dateParts(issued)
  const name = months[month - 1]?.slice(0, 3).toLowerCase()
  const note = `Alert ${plain(cited.id)}. Received ${minuteText(receivedAt)}${hashOf(cited)}`
  return `@misc{${keyOf(cited)},
  author = {{${escaped(author)}}},
  title = {{${escaped(headline)}}},
  year = {${year}},
  month = ${name},
  day = {${day}},
  url = {${url}},
  urldate = {${accessed.slice(0, 10)}},
  note = {${escaped(note)}}
}
`
}

function hashOf({ content }: Cited): string {
  return content === undefined ? '' : `; hash of its content ${content}`
}

function dateParts(iso: string): [year: number, month: number, day: number] {
  const [year = 0, month = 0, day = 0] = iso.slice(0, 10).split('-').map(Number)
  return [year, month, day]
}

/** Letters that every program takes for a key. */
function keyOf({ id }: Cited): string {
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
