import type { Link } from '../message/message.ts'

/**
 * Whether the address has a full host name, such as desk.example. Slack leaves out a button whose address has none
 * (github.com/prometheus/alertmanager/issues/2344), and for a button that Discord rejects it rejects the whole message.
 * Such a link stands in the text instead.
 */
export function hasFullName({ url }: Link): boolean {
  return /\.[a-z][a-z\d-]*$/i.test(URL.parse(url)?.hostname ?? '')
}
