import { padded } from '../../platform/terminal.ts'
import { plain } from '../../platform/text.ts'
import type { Publication } from '../../service/client/endpoints/research.ts'
import type { Terminal } from '../terminal.ts'
import { absent, countText, dayText } from './numbers.ts'
import { csvOf, write } from './output.ts'
import { gather, type MonitorOptions, serviceOf } from './service.ts'

export async function publications(
  options: MonitorOptions & { year?: number },
  terminal: Terminal,
): Promise<void> {
  const { client } = await serviceOf(options)
  const { year } = options
  const all = await gather(client.publications(year === undefined ? {} : { year }), terminal)
  write(options, terminal, {
    json: () => ({ publications: all }),
    csv: () => publicationsCsv(all),
    text: () => publicationsText(all),
  })
}

function publicationsCsv(all: readonly Publication[]): string {
  return csvOf(all, {
    id: ({ id }) => id,
    title: ({ title }) => title,
    authors: ({ authors }) => authors.join('; '),
    published_at: ({ publishedAt }) => publishedAt,
    year: ({ year }) => year,
    url: ({ url }) => url,
    summary: ({ summary }) => summary,
  })
}

/** A paragraph for each: titles are too long for a table. */
function publicationsText(all: readonly Publication[]): string {
  if (all.length === 0) return 'The service has no such publications.\n'
  const paragraphs = all.map(({ id, title, authors, publishedAt, year, url }) => {
    const when = publishedAt === null ? String(year ?? absent) : dayText(publishedAt)
    const lines = [title ?? '(no title)', authors.join(', '), url ?? '', id]
    const shown = lines.map((line) => plain(line, 500)).filter((line) => line !== '')
    return `${padded(plain(when, 10), 10)}  ${shown.join(`\n${' '.repeat(12)}`)}\n`
  })
  return `${paragraphs.join('\n')}\nPublications: ${countText(all.length)}\n`
}
