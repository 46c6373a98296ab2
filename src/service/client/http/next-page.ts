import { pageNames } from '../names.ts'
/** The query of the page that was asked for. */
export interface PageQuery {
  query: Readonly<Record<string, string>>
}

export interface AnsweredPage {
  body: unknown
  /** The header `Link` (RFC 8288). */
  link: string | null
  /** How many members the page has. */
  count: number
  asked: PageQuery
}

/**
 * How to ask for the page that follows, as far as the answer says; undefined where it is the last. Pagination is
 * not shown in the interface ("Endpoints", gaps): every plausible form is read, the plainest first.
 */
export function nextOf({
  body,
  link,
  count,
  asked,
}: AnsweredPage): { query: PageQuery['query'] } | { address: string } | undefined {
  const header = linked(link)
  if (header !== undefined) return { address: header }
  const said = sayings(body)
  if (said.length === 0 || truth(said, pageNames.more) === false) return undefined
  const withQuery = (name: string, value: string) => ({ query: { ...asked.query, [name]: value } })

  for (const [name, parameter] of pageNames.cursors) {
    const cursor = text(find(said, [name]))
    if (cursor !== undefined) return withQuery(parameter, cursor)
  }
  const next = said
    .flatMap((one) => pageNames.addresses.map((name) => text(href(one[name]))))
    .find((one) => one !== undefined)
  if (next !== undefined) {
    if (/^(https?:\/\/|\/|\?)/i.test(next)) return { address: next }
    return withQuery(/^\d+$/.test(next) && numbered(said) ? 'page' : 'cursor', next)
  }
  const nextPage = text(find(said, pageNames.nextPage))
  if (nextPage !== undefined) {
    return /^(https?:\/\/|\/|\?)/i.test(nextPage) ? { address: nextPage } : withQuery('page', nextPage)
  }
  // A `cursor` may also be the one that was asked with.
  const cursor = text(find(said, ['cursor']))
  if (cursor !== undefined && cursor !== asked.query.cursor) return withQuery('cursor', cursor)
  return counted(said, count, asked)
}

/** By page number or offset, which say where they are and leave the sum to the reader. */
function counted(
  said: PagingFields[],
  count: number,
  asked: PageQuery,
): { query: PageQuery['query'] } | undefined {
  if (count === 0) return undefined
  const more = truth(said, pageNames.more)
  const total = number(find(said, pageNames.total))
  const offset = number(find(said, pageNames.offset))
  if (offset !== undefined) {
    const goesOn = more ?? (total !== undefined && offset + count < total)
    return goesOn ? { query: { ...asked.query, offset: String(offset + count) } } : undefined
  }
  const page = number(find(said, pageNames.page)) ?? number(asked.query.page) ?? 1
  const perPage = number(find(said, pageNames.perPage))
  const pages =
    number(find(said, pageNames.totalPages)) ?? (total !== undefined && perPage ? total / perPage : undefined)
  if (more !== true && (pages === undefined || page >= pages)) return undefined
  return { query: { ...asked.query, page: String(page + 1) } }
}

type PagingFields = Record<string, unknown>

function sayings(body: unknown): PagingFields[] {
  if (!isRecord(body)) return []
  return [body, ...pageNames.places.map((name) => body[name]).filter(isRecord)]
}

function find(said: PagingFields[], names: readonly string[]): unknown {
  for (const one of said) {
    const name = names.find((candidate) => scalar(one[candidate]))
    if (name !== undefined) return one[name]
  }
  return undefined
}

function truth(said: PagingFields[], names: readonly string[]): boolean | undefined {
  const value = said.flatMap((one) => names.map((name) => one[name])).find((one) => typeof one === 'boolean')
  return typeof value === 'boolean' ? value : undefined
}

function numbered(said: PagingFields[]): boolean {
  return (
    number(find(said, pageNames.page)) !== undefined || number(find(said, pageNames.totalPages)) !== undefined
  )
}

function href(value: unknown): unknown {
  return isRecord(value) ? value.href : value
}

/** A cursor or an address; a number is one too, and an empty text is none. */
function text(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function number(value: unknown): number | undefined {
  const plain = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof plain === 'number' && Number.isInteger(plain) && plain >= 0 ? plain : undefined
}

function scalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

/** The address of `rel="next"` in a `Link` header. */
function linked(header: string | null): string | undefined {
  for (const [, address, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*("([^"]*\s)?next(\s[^"]*)?"|next\s*(;|,|$))/i.test(parameters ?? '')) return address
  }
  return undefined
}

function isRecord(value: unknown): value is PagingFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
