import { counted } from '../../platform/text.ts'
import { whatHolds } from '../../record/explain/explained.ts'
import type { HeldAlerts } from '../../store/held.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, type PageContext, timeOf } from '../parts-of-pages.ts'

/** What waits for a channel: how much, until when, what for; and the way to send it now. */
export function heldFor(
  channel: string,
  held: readonly HeldAlerts[] | undefined,
  { context, mayAct }: { context: PageContext; mayAct: boolean },
): Html | false {
  if (held === undefined) return false
  return html`<div class="caveat">${held.map(
    ({ count, until, by }) =>
      html`<p>${counted(count, 'alert is', 'alerts are')} held until ${timeOf(until, context.timeZone)}: ${whatHolds(by)}.</p>`,
  )}${mayAct && sendNowForm(channel, context)}</div>`
}

/** All that is held for a channel, or one alert of it. */
export function sendNowForm(channel: string, context: PageContext, id?: string): Html {
  return buttonForm(context, {
    action: `/channels/${channel}/send-held`,
    label: 'Send now',
    about: id === undefined ? `what is held for ${channel}` : `${id} to ${channel}`,
    ...(id !== undefined && { fields: { id } }),
  })
}
