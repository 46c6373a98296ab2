import * as z from 'zod'
import { alertPath } from '../config/console.ts'
import { type Desk, type DeskState, deskStates, storyAddress } from '../event/desk.ts'
import { textField } from './form-parts.ts'
import { type Html, html } from './html.ts'
import { agoOf, formFields } from './page-parts.ts'
import type { ConsoleParts } from './parts.ts'
import { type ActionRequest, type ConsoleReply, noSuchAlert, type PageContext } from './reply.ts'

export const deskStateNames: Record<DeskState, string> = {
  new: 'new',
  checking: 'being checked',
  published: 'published',
}

/** What the field accepts, and what of a refused address goes back into it. */
const longestStory = 600

interface DeskForm {
  /** The alert, by its id. */
  id: string
  desk: Desk
  /** An address that cannot be one, as somebody wrote it. */
  refused?: string | undefined
}

/** What the desk does about an alert. */
export function deskLine({ state, by, at = '', story = '' }: Desk, context: PageContext): Html {
  if (state === 'new' || by === undefined) return html`<p>New: nobody is checking it yet.</p>`
  const when = agoOf(at, context)
  if (state === 'checking') return html`<p><strong>${by.name}</strong> is checking it, since ${when}.</p>`
  return html`<p>Published by <strong>${by.name}</strong> ${when}: <a href="${story}" rel="noreferrer">${story}</a></p>`
}

/** The forms that change it. */
export function deskForms({ id, desk, refused }: DeskForm, context: PageContext): Html {
  const form = (state: DeskState, inside: Html) =>
    html`<form method="post" action="${context.base}/alerts/${encodeURIComponent(id)}/desk">${formFields(context)}<input type="hidden" name="seen" value="${desk.act ?? ''}"><input type="hidden" name="state" value="${state}">${inside}</form>`
  const error =
    refused === undefined
      ? undefined
      : 'Write the whole address, with https:// or http:// and without a password.'
  const story = textField({
    name: 'story',
    label: 'Address of the published story',
    value: refused ?? desk.story ?? '',
    error,
    inputMode: 'url',
    maxLength: longestStory,
    isRequired: true,
  })
  return html`${desk.state !== 'new' && html`<div class="actions">${form('checking', html`<button class="quiet">I am checking it</button>`)}${form('new', html`<button class="quiet">Back to new</button>`)}</div>`}
<details${refused !== undefined && html` open`}><summary>We published a story</summary>${form('published', html`${story}<p><button class="quiet">Published</button></p>`)}</details>`
}

const Fields = z.object({
  state: z.enum(deskStates),
  story: z.string().optional(),
  seen: z.string().max(100).optional(),
})

/** The address that somebody wrote goes back into the form if it cannot be one. */
export function refusedStory({ story }: Record<string, unknown>): string | undefined {
  return typeof story === 'string' && storyAddress(story) === undefined ? story : undefined
}

export async function setDesk(
  { by, key, fields, parameters: { id = '' } }: ActionRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { data } = Fields.safeParse(fields)
  if (data === undefined) return { to: alertPath('', id) }
  const { seen, ...wanted } = data
  const { result } = await control.acts.setDesk({ by, key }, id, wanted, seen)
  if (result === 'unknown') return noSuchAlert
  if (result === 'bad-address') {
    // No server accepts an address of any length.
    const story = (wanted.story ?? '').slice(0, longestStory)
    return { to: `${alertPath('', id)}?${new URLSearchParams({ story })}#story` }
  }
  const done = result === 'outrun' ? 'desk-outrun' : `desk-${wanted.state}`
  return { to: `${alertPath('', id)}?done=${done}` }
}
