import { html } from './html.ts'
import type { ConsolePage } from './layout.ts'

/** What a request is answered with. */
export type ConsoleReply =
  | { page: ConsolePage }
  /** Somewhere below the console's path, after something was done. */
  | { to: string }
  | { image: string }
  /** To be kept by the reader. */
  | { file: { name: string; json: string } }

export function notFound(what: string): ConsoleReply {
  return problem(404, 'Nothing is here', what)
}

export function problemPage(status: number, title: string, text: string): ConsolePage {
  return problem(status, title, text).page
}

function problem(status: number, title: string, text: string): { page: ConsolePage } {
  return { page: { status, title, body: html`<h1>${title}</h1><p class="text">${text}</p>` } }
}
