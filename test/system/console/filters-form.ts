import type { TryFilters } from '../../../src/console/parts.ts'
import { textOf } from './markup.ts'
import type { Visitor } from './visitor.ts'

/** The page on which the filters of the channel `desk` are changed. */
export const page = '/channels/desk/filters'

/** Where the trial itself is not looked at: it starts a thread. */
export const untried: TryFilters = async () => ({
  from: '2026-08-23T00:00:00.000Z',
  alerts: 0,
  messages: { asItIs: 0, changed: 0 },
  became: [],
  added: [],
  dropped: [],
})

/** What a page shows, and the form on it that puts other filters in force, as it comes after they were tried. */
export async function tryOut(visitor: Visitor, wanted: Record<string, string>, at = page) {
  const { html } = await visitor.submit(at, `${at}/try`, { direction: 'both', ...wanted })
  const form = html.split('<form ').find((one) => one.includes(`action="/console${at}"`)) ?? ''
  const hidden = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  const fields = Array.from(hidden, ([, name = '', value = '']) => [name, value] as const)
  return { text: textOf(html), form: Object.fromEntries(fields) }
}
