import { padded } from '../../platform/terminal.ts'
import { plain } from '../../platform/text.ts'
import type { Publication } from '../../service/client/endpoints/publications.ts'
import type { Terminal } from '../terminal.ts'
import { type CsvCell, csv } from './csv.ts'
import { absent, countText, dayText } from './numbers.ts'
import { write } from './output.ts'
import { gather, type MonitorOptions, serviceOf } from './service.ts'

export async function publications(
  options: MonitorOptions & { year?: number },
  terminal: Terminal,
): Promise<void> {
  const { client } = serviceOf(options)
  const { year } = options
  const found = await gather(client.publications(year === undefined ? {} : { year }), terminal)
  write(options, terminal, {
    json: () => ({ publications: found }),
    csv: () => publicationsCsv(found),
    text: () => publicationsText(found),
  })
}

export function publicationsCsv(all: readonly Publication[]): string {
  const header = ['id', 'title', 'authors', 'published_at', 'year', 'url', 'summary']
  const rows = all.map(({ id, title, authors, publishedAt, year, url, summary }): CsvCell[] => [
    id,
    title,
    authors.join('; '),
    publishedAt,
    year,
    url,
    summary,
  ])
  return csv(header, rows)
}

/** A paragraph for each: titles are too long for a table. */
export function publicationsText(all: readonly Publication[]): string {
  if (all.length === 0) return 'The service has no such publication.\n'
  const paragraphs = all.map(({ id, title, authors, publishedAt, year, url }) => {
    const when = publishedAt === null ? String(year ?? absent) : dayText(publishedAt)
    const lines = [title ?? '(no title)', authors.join(', '), url ?? '', id]
    const shown = lines.map((line) => plain(line, 500)).filter((line) => line !== '')
    return `${padded(plain(when, 10), 10)}  ${shown.join(`\n${' '.repeat(12)}`)}\n`
  })
  return `${paragraphs.join('\n')}\nPublications: ${countText(all.length)}\n`
}
