import type { Person } from '../event/act.ts'
import type { FeedOwner } from '../people/converse/own-feeds.ts'
import type { SignedIn } from './access/sign-in.ts'
import type { Draft } from './drafts.ts'
import { html } from './html.ts'
import type { ConsolePage } from './layout.ts'
import type { ConsoleParts } from './parts.ts'

/** What every page is made with. */
export interface PageContext {
  base: string
  token: string
  timeZone: string
  /** When the page is made; milliseconds since the epoch. */
  now: number
}

/** Asks for a page. */
export interface PageRequest {
  context: PageContext
  mayAct: boolean
  /** Whose feeds they are. `fits`: what of theirs has a role (OpenID). */
  owner: FeedOwner
  fits: readonly string[] | undefined
  isAdmin: boolean
  /** By what name the visitor has signed in. */
  me: string | undefined
  /** What they typed into the form at this address, if it was not accepted. */
  draft: Draft
  /** The console's own address, for what is read elsewhere. */
  root: string
  query: Record<string, unknown>
  /** In the path, such as `id`. */
  parameters: Record<string, string>
}

/** Asks for something to be done: who, with what they filled in. */
export interface ActionRequest extends PageRequest {
  by: Person
  /** Of the form: a second click is the same act. */
  key: string
  fields: Record<string, unknown>
  /** As at the sign-in, and with its limits. */
  checkPassword(name: string, password: string): Promise<SignedIn>
}

/** Shows a page as it is now, and changes nothing. */
export type ShowPage = (request: PageRequest, parts: ConsoleParts) => Promise<ConsoleReply>
/** Does what a command or a click in a chat does: the act is put down with its person before it takes effect. */
export type DoAction = (request: ActionRequest, parts: ConsoleParts) => Promise<ConsoleReply>

/** What a request is answered with. */
export type ConsoleReply =
  | { page: ConsolePage }
  /** Somewhere below the console's path, after something was done. */
  | { to: string }
  /** To an address elsewhere. */
  | { away: string }
  | { image: string }
  /** To be kept by the reader. */
  | { file: { name: string; type: string; content: string | Uint8Array } }

export function notFound(what: string): ConsoleReply {
  return problemPage(404, 'Nothing is here', what)
}

export function problemPage(status: number, title: string, text: string): { page: ConsolePage } {
  return { page: { status, title, body: html`<h1>${title}</h1><p class="text">${text}</p>` } }
}

/** To somebody who may not see anything. */
export function refusedPage({ refused, status }: { refused: string; status: 403 | 503 }): {
  page: ConsolePage
} {
  const title = status === 503 ? 'Nobody can sign in now' : 'This is not open to you'
  return problemPage(status, title, refused)
}

export const noSuchAlert = notFound(
  'No such alert is stored: it never arrived, or is older than the retention.',
)
export const noSuchChannel = notFound('No such channel is configured.')
