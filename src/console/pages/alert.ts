import { alertPath } from '../../config/console.ts'
import type { Act } from '../../event/act.ts'
import { deskOf } from '../../event/desk.ts'
import { type AlertEvent, type Entry, isFinding } from '../../event/event.ts'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { headline } from '../../message/render/headline.ts'
import { levelsInWords, type StatedSize, statedSize } from '../../message/render/levels.ts'
import { english } from '../../message/words/words.ts'
import { explained } from '../../record/explain/explained.ts'
import { type SentWords, sentMessages } from '../../record/explain/sent-messages.ts'
import { title } from '../../record/explain/title.ts'
import type { StoryMember } from '../../store/near.ts'
import type { StoredEntry } from '../../store/store.ts'
import { deskForms, deskLine, refusedStory } from '../desk-state.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import { agoOf, buttonForm, linked, pointsText, sendNowForm, wayOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { type ConsoleReply, noSuchAlert, type PageContext, type PageRequest } from '../reply.ts'
import {
  bytesOf,
  isForExperts,
  messagesOf,
  more,
  mostShown,
  type OutcomesData,
  outcomesOf,
} from './alert-outcomes.ts'
import { type SharedAlert, sharedAlert, sharePart, verifyLinks } from './share-parts.ts'

/** All that is known of one entry. */
interface AlertPageData extends OutcomesData {
  /** Undefined for an act, which is no message. */
  message: Message | undefined
  /** The size that the message states. Undefined if it is no alert. */
  size: StatedSize | undefined
  acts: readonly Act[]
  /** Alerts in its messages, on some channel. */
  members: readonly StoryMember[]
  /** As readers were sent it, and how it reads since. */
  messages: readonly SentWords[]
  hasChart: boolean
  /** Undefined if it is no alert. */
  shared: SharedAlert | undefined
  /** See `deskState`. */
  refusedStory?: string | undefined
}

export async function showAlert(
  { context, mayAct, root, query, parameters: { id = '' } }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { control, config } = parts
  const stored = await control.event(id)
  if (stored === undefined) return noSuchAlert
  const { entry } = stored
  const isAlert = entry.kind === 'alert'
  const [known, { acts = [], members = [] }, message, size] = await Promise.all([
    explained(stored, control),
    control.later(id),
    entry.kind === 'act' ? undefined : isAlert ? parts.report(entry) : parts.message(entry),
    isAlert ? parts.statedSize(entry) : undefined,
  ])
  const hasChart = isAlert && config().monitor !== undefined && mayHaveChart(entry)
  const data = {
    entry,
    message,
    size,
    explained: known,
    acts,
    members,
    outcomes: stored.outcomes,
    links: new Set(
      Object.keys(stored.outcomes).filter((name) => sentReceipt(stored, name) && parts.opensMessages(name)),
    ),
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

export function sentReceipt(
  { outcomes }: Pick<StoredEntry, 'outcomes'>,
  channel: string,
): Receipt | undefined {
  const outcome = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  return outcome?.state === 'sent' && outcome.receipt.id !== undefined ? outcome.receipt : undefined
}

export function alertPage(known: AlertPageData, context: PageContext): ConsolePage {
  const { entry, message, explained, acts, messages } = known
  const { base } = context
  const heading = message?.headline ?? explained.title
  const related = explained.marks.filter((mark) => !isForExperts(mark))
  return {
    title: heading,
    isLive: true,
    canCopy: known.shared !== undefined,
    body: html`<article>
<h1>${heading}</h1>
${cameOf(entry, context)}
${message?.caveats.map((caveat) => html`<p class="caveat"><strong>Note:</strong> ${caveat}</p>`)}
${message !== undefined && known.size !== undefined && figureOf(known.size, message)}
${message?.text.map((paragraph) => html`<p class="text">${paragraph}</p>`)}
<div class="columns"><div>
${known.hasChart && chartOf(entry.id, heading, context)}
${message !== undefined && (entry.kind === 'alert' ? surenessOf(entry, message) : factsOf(message.facts))}
</div>
${(entry.kind === 'alert' || acts.length > 0) && holdersOf(known, context)}
</div>
${outcomesOf(known, context)}
${related.length > 0 && html`<section aria-labelledby="related"><h2 id="related">Related</h2><ul>${related.map((mark) => html`<li>${linked(context, mark)}</li>`)}</ul></section>`}
${known.members.length > 0 && storyOf(known.members, context)}
${explained.members.length > 0 && html`<section aria-labelledby="members"><h2 id="members">Alerts in it</h2><ul>${explained.members.map((member) => html`<li><a href="${alertPath(base, member.id)}">${member.title}</a></li>`)}</ul></section>`}
${known.shared !== undefined && sharePart(known.shared, context)}
${entry.kind === 'alert' && html`<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2><p><a class="button quiet" href="${alertPath(base, entry.id)}/evidence" download>Evidence as a file</a></p>${verifyLinks(base)}</section>`}
${messages.length > 0 && messagesOf(messages, context)}
${entry.kind === 'alert' ? bytesOf(entry, known, context) : html`<p class="meta"><code>${entry.id}</code></p>`}
</article>`,
  }
}

function cameOf(entry: Entry, context: PageContext): Html {
  const at = agoOf(entry.receivedAt, context)
  if (entry.kind !== 'alert') return html`<p class="meta">${at}</p>`
  if (isFinding(entry)) return html`<p class="meta">Found in the published figures ${at}</p>`
  const detected = entry.detectedAt === null ? '' : html`Detected ${agoOf(entry.detectedAt, context)}, `
  return html`<p class="meta">${detected}reported ${wayOf(entry)} ${at}</p>`
}

/** "18% → 30%" if the levels are known, else "+12 points"; nothing of what no longer stands. */
function figureOf(size: StatedSize, { about }: Message): Html | false {
  if (about?.kind !== 'alert' || about.revisedBy !== null) return false
  if (size.points === null || size.points === 0) return false
  const tone = size.points > 0 ? 'rise' : 'fall'
  const points = html`${pointsText(size.points)} points`
  const shown = levelsInWords(size, english)
  if (shown === undefined) return html`<p class="figure"><span class="tone ${tone}">${points}</span></p>`
  return html`<p class="figure"><span class="tone ${tone}">${shown.before}% <span aria-hidden="true">→</span><span class="unseen">to</span> ${shown.now}%</span> <span class="meta">${points}</span></p>`
}

const notCompared = {
  visible: 'The published figures show it.',
  'not-yet': 'The published figures did not show it when it was reported.',
  'not-shown': 'The published figures before and after it are not enough to decide.',
  'not-read': 'It was not compared with the published figures.',
}

/** What the headline and the figure say already. */
const saidAbove = (
  ['model', 'ofCategory', 'change', 'reportedChange', 'detected', 'received', 'foundAt'] as const
).map((name) => english.say(name))

function surenessOf({ figures, version }: AlertEvent, { facts, links, page }: Message): Html {
  const label = english.say('sureness')
  const sure = facts.find((fact) => fact.label === label)?.value
  const others = facts.filter((fact) => fact.label !== label && !saidAbove.includes(fact.label))
  const isUnknown = sure === undefined && others.length === 0 && version === undefined
  return html`<section aria-labelledby="sure"><h2 id="sure">How sure</h2>
${sure !== undefined && html`<p class="text"><strong>${sure}</strong></p>`}
${isUnknown && html`<p class="text">${notCompared[figures?.state ?? 'not-read']}</p>`}
${factsOf(others)}
<p class="meta">${links.filter(({ url }) => url !== page).map((link) => html`<a href="${link.url}" rel="noreferrer">${link.label}</a> `)}</p></section>`
}

function factsOf(facts: Message['facts']): Html | false {
  if (facts.length === 0) return false
  return html`<dl class="facts">${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Who takes care of it, and what a person can do. */
function holdersOf(
  { entry, explained, acts, mayAct, refusedStory: refused }: AlertPageData,
  context: PageContext,
): Html {
  const desk = deskOf(acts)
  const others = acts.filter((act) => act.id !== desk.act)
  return html`<section class="panel" aria-labelledby="who"><h2 id="who">Who has it</h2>
${entry.kind === 'alert' && deskLine(desk, context)}
${entry.kind === 'alert' && mayAct && actions(entry, { explained, isNew: desk.state === 'new' }, context)}
${entry.kind === 'alert' && mayAct && deskForms({ id: entry.id, desk, refused }, context)}
${others.length > 0 && html`<h3>What people did</h3>${more(others.length, 'before these are in the audit log')}<ul class="rows">${others.slice(-mostShown).map((act) => html`<li>${act.does === 'acknowledge' ? `${act.by.name} acknowledged it` : title(act)} <span class="meta">${agoOf(act.receivedAt, context)}, ${act.by.via}</span></li>`)}</ul>`}
</section>`
}

/** Alerts that its message shows on some channel, each with what the desk does about it. */
function storyOf(members: readonly StoryMember[], context: PageContext): Html {
  return html`<section aria-labelledby="story"><h2 id="story">Alerts that belong to it</h2>${more(members.length, 'came before these')}
<ul class="rows">${members
    .slice(-mostShown)
    .map(
      ({ alert, acts = [] }) =>
        html`<li><a class="headline" href="${alertPath(context.base, alert.id)}">${headline(alert, { size: statedSize(alert) })}</a>${deskLine(deskOf(acts), context)}</li>`,
    )}</ul></section>`
}

function actions(
  { id, model, category }: AlertEvent,
  { explained, isNew }: Pick<AlertPageData, 'explained'> & { isNew: boolean },
  context: PageContext,
): Html {
  const scope = new URLSearchParams({ ...(model && { model }), ...(category && { category }), about: id })
  const held = explained.outcomes.filter(({ state }) => state === 'held')
  return html`<div class="actions">
${isNew && buttonForm(context, { action: `/alerts/${encodeURIComponent(id)}/acknowledge`, label: 'Acknowledge', about: 'I have seen it', isQuiet: false })}
<a class="button quiet" href="${context.base}/silences?${scope.toString()}#add">Silence …</a>
${held.map(({ channel }) => sendNowForm(channel, context, id))}
</div>`
}

function chartOf(id: string, headline: string, { base }: PageContext): Html {
  const path = `${alertPath(base, id)}/chart`
  return html`<figure><picture><source srcset="${path}-dark.svg" media="(prefers-color-scheme: dark)"><img src="${path}-light.svg" alt="Chart of the published refusal rate: ${headline}" width="720" height="450" loading="lazy"></picture>
<figcaption><a href="${path}">The chart in words and figures</a></figcaption></figure>`
}
