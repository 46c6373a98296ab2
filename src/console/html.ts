import { html as tagged } from 'hono/html'

/** Markup that is safe to send: every value in it is escaped, unless it is such markup itself. */
export type Html = Extract<Awaited<ReturnType<typeof tagged>>, object>

/** What may stand in markup; nothing is shown of what is not there. */
type HtmlPart = string | number | false | null | undefined | Html | readonly Html[]

/** All pages are made by this: no text of the service can become markup. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  const made = tagged(strings, ...parts)
  if (made instanceof Promise) throw new TypeError('a page is made of what is there')
  return made
}
