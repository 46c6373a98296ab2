import * as z from 'zod'
import { alertPath } from '../config/console.ts'
import { type Desk, type DeskState, deskStates, storyAddress } from '../event/desk.ts'
import { type Html, html } from './html.ts'
import { formFields, timeOf } from './page-parts.ts'
import type { ConsoleParts } from './parts.ts'
import { type ActionRequest, type ConsoleReply, noSuchAlert, type PageContext } from './reply.ts'

export const deskStateNames: Record<DeskState, string> = {
  new: 'new',
  checking: 'being checked',
  published: 'published',
}

interface DeskForm {
  /** The alert, by its id. */
  id: string
  desk: Desk
  mayAct: boolean
  /** An address that cannot be one, as somebody wrote it. */
  refused?: string | undefined
}

/** What the desk does about an alert, and the forms that change it. */
export function deskState({ id, desk, mayAct, refused }: DeskForm, context: PageContext): Html {
  return html`<section aria-labelledby="desk"><h2 id="desk">Desk</h2>
<p class="text">${stateOf(desk, context)}</p>
${mayAct && formsOf({ id, desk, mayAct, refused }, context)}
</section>`
}

function stateOf({ state, by, at = '', story = '' }: Desk, { timeZone }: PageContext): Html {
  if (state === 'new' || by === undefined) return html`New: nobody has it yet.`
  const when = timeOf(at, timeZone)
  if (state === 'checking') return html`<strong>${by.name}</strong> has been checking it since ${when}.`
  return html`Published by <strong>${by.name}</strong> on ${when}: <a href="${story}" rel="noreferrer">${story}</a>`
}

function formsOf({ id, desk, refused }: DeskForm, context: PageContext): Html {
  const form = (state: DeskState, inside: Html) =>
    html`<form method="post" action="${context.base}/alerts/${encodeURIComponent(id)}/desk">${formFields(context)}<input type="hidden" name="seen" value="${desk.act ?? ''}"><input type="hidden" name="state" value="${state}">${inside}</form>`
  const isWrong = refused !== undefined
  const story = html`<label for="story">Address of the published story</label>
${isWrong && html`<p class="wrong" id="story-error">Write the whole address, with https:// or http:// and without a password.</p>`}
<input id="story" name="story" type="text" inputmode="url" autocomplete="off" maxlength="600" required value="${refused ?? desk.story ?? ''}"${isWrong && html` aria-invalid="true" aria-describedby="story-error"`}>
<button class="quiet">Published</button>`
  return html`<div class="actions">
${form('checking', html`<button class="quiet">I am checking it</button>`)}
${desk.state !== 'new' && form('new', html`<button class="quiet">Back to new</button>`)}
</div>
${form('published', story)}`
}

const Fields = z.object({
  state: z.enum(deskStates),
  story: z.string().max(2_000).optional(),
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
  if (result === 'bad-address')
    return { to: `${alertPath('', id)}?${new URLSearchParams({ story: wanted.story ?? '' })}#story` }
  const done = result === 'outrun' ? 'desk-outrun' : `desk-${wanted.state}`
  return { to: `${alertPath('', id)}?done=${done}` }
}
