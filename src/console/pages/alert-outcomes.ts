import { alertPath } from '../../config/console.ts'
import type { AlertEvent, Entry } from '../../event/event.ts'
import { isUnreached, type Outcome } from '../../event/outcome.ts'
import { counted, plain } from '../../platform/text.ts'
import type { Explained } from '../../record/explain/explained.ts'
import type { SentWords } from '../../record/explain/sent-messages.ts'
import { type Html, html } from '../html.ts'
import { agoOf, linked, ruleNames, sendAgainForm, stateBadge, timeOf } from '../page-parts.ts'
import type { PageContext } from '../reply.ts'

/** What became of an entry. */
export interface OutcomesData {
  entry: Entry
  explained: Explained
  outcomes: Readonly<Record<string, Outcome>>
  /** Channels on which its message can be opened. */
  links: ReadonlySet<string>
  mayAct: boolean
}

/** Hundreds of acknowledgements must not make a page of megabytes. */
export const mostShown = 100

/** That a list is longer than `mostShown`. */
export function more(count: number, where: string): Html | false {
  return count > mostShown && html`<p class="meta">${count - mostShown} more ${where}.</p>`
}

/** What an editor does not ask first: it is folded away. */
export function isForExperts(mark: string): boolean {
  return mark.startsWith('figures: ') || mark.startsWith('signed with ')
}

/** A line for each channel: what became of it, when, and the way to the message itself. */
export function outcomesOf(
  { entry, explained, outcomes, links, mayAct }: OutcomesData,
  context: PageContext,
): Html {
  return html`<section aria-labelledby="channels"><h2 id="channels">Where it went</h2>
${explained.outcomes.length === 0 && html`<p class="none">It goes to no channel.</p>`}
<ul class="rows">${explained.outcomes.map(({ channel, state, reason, remarks, earlier }) => {
    const outcome = outcomes[channel]
    return html`<li><div class="row"><strong>${channel}</strong> ${stateBadge(state)} <span>${outcome !== undefined && whereText(outcome, { reason, remarks }, context)}</span>
${links.has(channel) && html`<a href="${alertPath(context.base, entry.id)}/sent/${channel}" rel="noreferrer">Open the message<span class="unseen"> in ${channel}</span></a>`}
${mayAct && isUnreached({ state }) && sendAgainForm(entry.id, { channel, wasTried: state === 'failed' || earlier.length > 0 }, context)}</div>
${earlier.length > 0 && html`<ul class="earlier">${earlier.map((end) => html`<li>Before: ${end.state?.replace('_', ' ')} ${linked(context, end.reason)}</li>`)}</ul>`}</li>`
  })}</ul></section>`
}

function whereText(
  outcome: Outcome,
  { reason, remarks }: { reason: string; remarks: string },
  context: PageContext,
): Html {
  switch (outcome.state) {
    case 'sent': {
      const { receipt, at, attempts } = outcome
      // People cannot read a provider's address; other words of the provider are shown.
      const isAddress = receipt.place !== undefined || receipt.id === receipt.text
      const text = !isAddress && `: ${receipt.text}`
      return html`${agoOf(at, context)} <span class="meta">${counted(attempts, 'attempt')}${text}${linked(context, remarks)}</span>`
    }
    case 'failed':
      return html`${agoOf(outcome.at, context)}, ${counted(outcome.attempts, 'attempt')}: ${outcome.why}`
    case 'held':
      return html`until ${timeOf(outcome.until, context.timeZone)}: ${linked(context, outcome.why)}`
    case 'not_sent':
      return html`${outcome.why} <span class="meta">by the rule “${ruleNames[outcome.rule]}”</span>`
    case 'merged':
    case 'waiting':
      return html`${linked(context, reason)}`
  }
}

export function messagesOf(messages: readonly SentWords[], context: PageContext): Html {
  return html`<details><summary>As it was sent</summary>
${messages.map(
  ({ head, lines }) =>
    html`<p>${linked(context, head)}</p><blockquote>${lines.slice(0, mostShown).map((line) => html`<p>${line}</p>`)}${more(lines.length, 'lines are shown by bluepencil explain --messages')}</blockquote>`,
)}</details>`
}

/** The bytes as they came, if they are text, and what an expert asks of them. */
export function bytesOf(
  { id, body, evidence, content }: AlertEvent,
  { explained }: Pick<OutcomesData, 'explained'>,
  context: PageContext,
): Html {
  const headers = Object.entries(evidence?.headers ?? {})
  return html`<details><summary>What came, to the byte</summary>
<p class="meta"><code>${id}</code>: ${linked(context, explained.came)}</p>
<ul>${explained.marks.filter(isForExperts).map((mark) => html`<li>${linked(context, mark)}</li>`)}</ul>
<p class="meta">${body.encoding === 'utf8' ? 'The body, as text' : 'The body, in base64'}${content !== undefined && html`; its content is <code>${content}</code>`}</p>
<pre tabindex="0" role="region" aria-label="The body">${body.text}</pre>
${headers.length > 0 && html`<dl class="facts">${headers.map(([name, value]) => html`<div><dt>${plain(name)}</dt><dd><code>${value}</code></dd></div>`)}</dl>`}
</details>`
}
