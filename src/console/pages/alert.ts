import * as z from 'zod'
import { alertPath } from '../../config/console.ts'
import type { Act } from '../../event/act.ts'
import { deskOf } from '../../event/desk.ts'
import { type AlertEvent, type Entry, isFinding } from '../../event/event.ts'
import { isUnreached } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { plain } from '../../platform/text.ts'
import { fileNameOf } from '../../record/evidence/file.ts'
import { type Explained, explained } from '../../record/explain/explained.ts'
import { type SentWords, sentMessages } from '../../record/explain/sent-messages.ts'
import { title } from '../../record/explain/title.ts'
import { deskState, refusedStory } from '../desk-state.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import { buttonForm, linked, sendAgainForm, sendNowForm, stateBadge, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  noSuchAlert,
  noSuchChannel,
  notFound,
  type PageContext,
  type PageRequest,
} from '../reply.ts'
import { type SharedAlert, sharedAlert, sharePart } from './share-parts.ts'

/** All that is known of one entry. */
interface AlertPageData {
  entry: Entry
  /** Undefined for an act, which is no message. */
  message: Message | undefined
  explained: Explained
  acts: readonly Act[]
  /** As readers were sent it, and how it reads since. */
  messages: readonly SentWords[]
  hasChart: boolean
  /** Undefined if it is no alert. */
  shared: SharedAlert | undefined
  mayAct: boolean
  /** See `deskState`. */
  refusedStory?: string | undefined
}

/** Hundreds of acknowledgements must not make a page of megabytes. */
const mostShown = 100

export async function showAlert(
  { context, mayAct, root, query, parameters: { id = '' } }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { control, config } = parts
  const stored = await control.event(id)
  if (stored === undefined) return noSuchAlert
  const { entry } = stored
  const isAlert = entry.kind === 'alert'
  const [known, { acts = [] }, message] = await Promise.all([
    explained(stored, control),
    control.later(id),
    entry.kind === 'act' ? undefined : parts.message(entry),
  ])
  const hasChart = isAlert && config().monitor !== undefined && mayHaveChart(entry)
  const data = {
    entry,
    message,
    explained: known,
    acts,
    messages: sentMessages(stored.outcomes),
    hasChart,
    shared:
      isAlert && message !== undefined
        ? await sharedAlert(entry, { message, hasChart, root, context }, parts)
        : undefined,
    mayAct,
    refusedStory: refusedStory(query),
  }
  return { page: alertPage(data, context) }
}

function mayHaveChart({ model, revises, ...alert }: AlertEvent): boolean {
  const isWithdrawal = revises !== undefined && isFinding(alert)
  return model !== null && !isWithdrawal
}

export async function acknowledge(
  { by, key, parameters: { id = '' } }: ActionRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { result } = await control.acts.acknowledge({ by, key }, id)
  if (result === 'unknown') return noSuchAlert
  return { to: `${alertPath('', id)}?done=${result === 'done' ? 'acknowledged' : 'acknowledged-before'}` }
}

const Channel = z.object({ channel: z.string().optional().catch(undefined) })

export async function sendAgain(
  { by, key, fields, parameters: { id = '' } }: ActionRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { channel } = Channel.parse(fields)
  const stored = await parts.control.event(id)
  if (stored === undefined) return noSuchAlert
  if (channel === undefined || !parts.config().channels.some(({ name }) => name === channel)) {
    return noSuchChannel
  }
  const sentBefore: ConsoleReply = { to: `${alertPath('', id)}?done=sent-before` }
  // By an old page, or by somebody else meanwhile.
  if (!isUnreached(stored.outcomes[channel])) return sentBefore
  await parts.sendings.sendAgain({ by, key }, id, [channel])
  // Also if the act was there before: a process may have ended between the act and this.
  const isPending = await parts.sendAgain(id, channel)
  return isPending ? { to: `${alertPath('', id)}?done=sent-again` } : sentBefore
}

export async function evidence(
  id: string,
  { control }: ConsoleParts,
  signal: AbortSignal,
): Promise<ConsoleReply> {
  const made = await control.evidence(id, signal)
  return 'problem' in made
    ? notFound(`There can be no evidence: ${made.problem}.`)
    : { file: { name: fileNameOf(id), type: 'json', content: made.file } }
}

function more(count: number, where: string): Html | false {
  return count > mostShown && html`<p class="meta">${count - mostShown} more ${where}.</p>`
}

export function alertPage(known: AlertPageData, context: PageContext): ConsolePage {
  const { entry, message, explained, acts, messages } = known
  const { base, timeZone } = context
  const headline = message?.headline ?? explained.title
  return {
    title: headline,
    isLive: true,
    canCopy: known.shared !== undefined,
    body: html`<article>
<p class="kicker">${message?.kicker ?? 'What somebody did'}</p>
<h1>${headline}</h1>
<p class="meta">${linked(context, explained.came)} · <code>${entry.id}</code></p>
${message?.caveats.map((caveat) => html`<p class="caveat"><strong>Note:</strong> ${caveat}</p>`)}
${message?.text.map((paragraph) => html`<p class="text">${paragraph}</p>`)}
${known.mayAct && entry.kind === 'alert' && actions(entry, context)}
${entry.kind === 'alert' && deskState({ id: entry.id, desk: deskOf(acts), mayAct: known.mayAct, refused: known.refusedStory }, context)}
${message !== undefined && factsOf(message)}
${known.hasChart && chartOf(entry.id, headline, context)}
${outcomesOf(known, context)}
${messages.length > 0 && messagesOf(messages, context)}
${explained.marks.length > 0 && html`<section aria-labelledby="sources"><h2 id="sources">Sources and relations</h2><ul>${explained.marks.map((mark) => html`<li>${linked(context, mark)}</li>`)}</ul></section>`}
${explained.members.length > 0 && html`<section aria-labelledby="members"><h2 id="members">It tells of</h2><ul>${explained.members.map((one) => html`<li><a href="${alertPath(base, one.id)}">${one.title}</a></li>`)}</ul></section>`}
${acts.length > 0 && html`<section aria-labelledby="acts"><h2 id="acts">What people did</h2>${more(acts.length, 'before these are in the audit log')}<ul>${acts.slice(-mostShown).map((act) => html`<li>${timeOf(act.receivedAt, timeZone)}: ${title(act)} <span class="meta">(${act.by.via})</span></li>`)}</ul></section>`}
${known.shared !== undefined && sharePart(known.shared, context)}
${entry.kind === 'alert' && evidenceOf(entry, context)}
</article>`,
  }
}

function actions(entry: AlertEvent, context: PageContext): Html {
  const { base } = context
  const scope = new URLSearchParams()
  if (entry.model !== null) scope.set('model', entry.model)
  if (entry.category !== null) scope.set('category', entry.category)
  scope.set('about', entry.id)
  return html`<div class="actions">
${buttonForm(context, { action: `/alerts/${encodeURIComponent(entry.id)}/acknowledge`, label: 'Acknowledge', about: 'I have seen it', isQuiet: false })}
<a class="button quiet" href="${base}/silences?${scope.toString()}#add">Silence …</a>
</div>`
}

function factsOf({ facts, links, source }: Message): Html {
  return html`<section aria-labelledby="figures"><h2 id="figures">Figures</h2>
<dl class="facts">${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
<p class="meta">${source}</p>
${links.length > 0 && html`<p>${links.map(({ label, url }) => html`<a href="${url}" rel="noreferrer">${label}</a> `)}</p>`}
</section>`
}

function chartOf(id: string, headline: string, { base }: PageContext): Html {
  const path = `${alertPath(base, id)}/chart`
  return html`<section aria-labelledby="chart"><h2 id="chart">Ninety days</h2>
<figure><picture><source srcset="${path}-dark.svg" media="(prefers-color-scheme: dark)"><img src="${path}-light.svg" alt="Chart of the published refusal rate: ${headline}" width="640" height="400" loading="lazy"></picture>
<figcaption><a href="${path}">The chart in words and figures</a></figcaption></figure></section>`
}

function outcomesOf({ entry, explained, mayAct }: AlertPageData, context: PageContext): Html {
  if (explained.outcomes.length === 0) {
    return html`<section aria-labelledby="channels"><h2 id="channels">Channels</h2><p class="none">It goes to no channel.</p></section>`
  }
  return html`<section aria-labelledby="channels"><h2 id="channels">Channels</h2>
<table class="cards"><thead><tr><th scope="col">Channel</th><th scope="col">Outcome</th><th scope="col">Why, and how often it was tried</th>${mayAct && html`<th scope="col">Act</th>`}</tr></thead><tbody>
${explained.outcomes.map(
  ({
    channel,
    state,
    reason,
    earlier,
  }) => html`<tr><th scope="row">${channel}</th><td data-label="Outcome">${stateBadge(state)}</td>
<td data-label="Why">${linked(context, reason)}${earlier.length > 0 && html`<ul class="earlier">${earlier.map((end) => html`<li>Before: ${end.state?.replace('_', ' ')} ${linked(context, end.reason)}</li>`)}</ul>`}</td>
${mayAct && html`<td>${isUnreached({ state }) && sendAgainForm(entry.id, channel, context)}${state === 'held' && sendNowForm(channel, context, entry.id)}</td>`}</tr>`,
)}
</tbody></table></section>`
}

function messagesOf(messages: readonly SentWords[], context: PageContext): Html {
  return html`<section aria-labelledby="messages"><h2 id="messages">As it was sent</h2>
${messages.map(
  ({ head, lines }) =>
    html`<details><summary>${linked(context, head)}</summary><blockquote>${lines.slice(0, mostShown).map((line) => html`<p>${line}</p>`)}${more(lines.length, 'lines are shown by bluepencil explain --messages')}</blockquote></details>`,
)}</section>`
}

/** The bytes as they came, if they are text. */
function evidenceOf({ id, body, evidence, content }: AlertEvent, { base }: PageContext): Html {
  const headers = Object.entries(evidence?.headers ?? {})
  return html`<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>
<p><a class="button quiet" href="${alertPath(base, id)}/evidence" download>Evidence as a file</a></p>
<details><summary>What came, to the byte</summary>
<p class="meta">${body.encoding === 'utf8' ? 'The body, as text' : 'The body, in base64'}${content !== undefined && html`; its content is <code>${content}</code>`}</p>
<pre tabindex="0" role="region" aria-label="The body">${body.text}</pre>
${headers.length > 0 && html`<dl class="facts">${headers.map(([name, value]) => html`<div><dt>${plain(name)}</dt><dd><code>${value}</code></dd></div>`)}</dl>`}
</details></section>`
}
