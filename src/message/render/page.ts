import type { Entry } from '../../event/event.ts'
import type { Link, Message } from '../message.ts'
import type { Words } from '../words/words.ts'

/** The address of the page of an alert or a digest, by its id. */
export type PageOf = (id: string) => string

/** The links of a message: first its page in the console, if readers can reach that. */
export function linksOf(
  { kind, id }: Pick<Extract<Entry, { kind: 'alert' | 'digest' }>, 'kind' | 'id'>,
  others: Link[],
  { pageOf, words }: { pageOf?: PageOf | undefined; words: Words },
): Pick<Message, 'links' | 'page'> {
  const page = pageOf?.(id)
  if (page === undefined) return { links: others }
  return { links: [{ label: words.say('toOpen', { of: kind }), url: page }, ...others], page }
}
