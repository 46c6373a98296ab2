import { randomUUID } from 'node:crypto'
import { alertPath } from '../config/console.ts'
import type { Outcome } from '../event/outcome.ts'
import { english } from '../message/words/words.ts'
import { type Html, html } from './html.ts'
import type { PublishedSeries } from './parts.ts'

/** What every page is made with. */
export interface PageContext {
  base: string
  token: string
  timeZone: string
}

export function timeOf(iso: string, timeZone: string): Html {
  if (Number.isNaN(Date.parse(iso))) return html`${iso}`
  return html`<time datetime="${iso}">${english.time(iso, timeZone)}</time>`
}

/** How old figures are that could not be read anew. */
export function asOf(
  { outdated = '', readAt }: Pick<PublishedSeries, 'outdated' | 'readAt'>,
  timeZone: string,
): string {
  const why = outdated.charAt(0).toUpperCase() + outdated.slice(1)
  return `${why}; figures as of ${english.time(readAt, timeZone)}.`
}

const states: Record<Outcome['state'], string> = {
  waiting: 'waiting',
  sent: 'sent',
  failed: 'failed',
  not_sent: 'not sent',
  held: 'held',
  merged: 'in another message',
}

export function stateName(state: Outcome['state']): string {
  return states[state]
}

/** What became of something: in a word, and beside it in colour. */
export function stateBadge(state: Outcome['state'], of?: string): Html {
  return html`<span class="badge ${state}">${of !== undefined && html`<span class="of">${of}</span> `}${states[state]}</span>`
}

/** What every form that does something holds. The key makes a second click the same act. */
export function formFields({ token }: Pick<PageContext, 'token'>): Html {
  return html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="key" value="${randomUUID()}">`
}

/** A form of one button, whose accessible name says what it is about. */
export function buttonForm(
  context: Pick<PageContext, 'base' | 'token'>,
  {
    action,
    label,
    about,
    fields = {},
    isQuiet = true,
  }: {
    action: string
    label: string
    about: string
    fields?: Record<string, string>
    isQuiet?: boolean
  },
): Html {
  const more = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${context.base}${action}">${formFields(context)}${more}<button${isQuiet && html` class="quiet"`} aria-label="${label}: ${about}">${label}</button></form>`
}

const named = /\b((?:evt|poll|dgs|ntc)_[\w~-]+|\d{4}-\d\d-\d\dT[\d:.]+Z)/

/** A sentence in which the entries that it names are links, and times are those of the reader. */
export function linked({ base, timeZone }: Pick<PageContext, 'base' | 'timeZone'>, text: string): Html[] {
  return text.split(named).map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return /^\d/.test(part) ? timeOf(part, timeZone) : html`<a href="${alertPath(base, part)}">${part}</a>`
  })
}
