import { type CommonSettings, isForTroubleAlone } from '../../channels/settings.ts'
import type { Readiness } from '../../operators/readiness.ts'
import { filtersInWords, hoursInWords } from '../filters-in-words.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import type { FileFilters } from '../parts.ts'
import { buttonForm, type PageContext, timeOf } from '../parts-of-pages.ts'
import { heldFor } from './held.ts'

const languages = new Intl.DisplayNames('en', { type: 'language' })

interface ChannelsPageData {
  channels: readonly (CommonSettings & { type: string })[]
  operators: readonly string[]
  ready: Readiness
  resting: readonly { channel: string; until: string; why: string }[]
  mayAct: boolean
  filtersAt(channel: string): FileFilters | undefined
  /** What came of a test that was just sent. */
  tested?: { channel: string; isSent: boolean; said: string } | undefined
}

export function channelsPage({ tested, ...shown }: ChannelsPageData, context: PageContext): ConsolePage {
  return {
    title: 'Channels',
    body: html`<h1>Channels</h1>
${tested !== undefined && html`<p class="${tested.isSent ? 'done' : 'caveat'}" role="status"><strong>${tested.channel}:</strong> ${tested.said}</p>`}
${shown.channels.map((channel) => channelOf(channel, shown, context))}`,
  }
}

function channelOf(
  settings: ChannelsPageData['channels'][number],
  shown: Omit<ChannelsPageData, 'tested'>,
  context: PageContext,
): Html {
  const { name, type, language } = settings
  const state = shown.ready.channels.find((one) => one.name === name)
  const trouble = shown.ready.troubles.find(({ key }) => key === `channel:${name}`)
  const rest = shown.resting.find((one) => one.channel === name)
  const isOperators = shown.operators.includes(name)
  return html`<section class="channel" aria-labelledby="channel-${name}">
<h2 id="channel-${name}">${name} <span class="meta">${type}</span></h2>
<p><span class="badge ${trouble === undefined ? 'sent' : 'failed'}">${trouble === undefined ? 'in order' : 'something is wrong'}</span>
${(state?.waiting ?? 0) > 0 && html`<span class="meta">${state?.waiting} waiting</span>`}</p>
${heldFor(name, state?.held, { context, mayAct: shown.mayAct })}
${trouble !== undefined && html`<p class="caveat"><strong>${trouble.title}.</strong> ${trouble.text}</p>`}
${rest !== undefined && html`<p class="meta">It rests until ${timeOf(rest.until, context.timeZone)}: ${rest.why}</p>`}
<dl class="facts">
<div><dt>Gets</dt><dd>${filtersInWords(settings)}${isOperators && ' It is also notified of trouble.'}</dd></div>
<div><dt>When</dt><dd>${hoursInWords(settings).join(' ')}</dd></div>
<div><dt>Language</dt><dd>${languages.of(language)}</dd></div>
</dl>
${filtersOf(settings, shown, context)}
${shown.mayAct && buttonForm(context, { action: `/channels/${name}/test`, label: 'Send a test', about: `to ${name}` })}
</section>`
}

/** Who changed what it gets, and the way to change it. */
function filtersOf(
  { name }: CommonSettings,
  { filtersAt, mayAct }: Pick<ChannelsPageData, 'filtersAt' | 'mayAct'>,
  { base, timeZone }: PageContext,
): Html | false {
  const at = filtersAt(name)
  if (at === undefined) return false
  const { changed, isFixed, file } = at
  const by = changed && html`${changed.by.name}, ${timeOf(changed.at, timeZone)}`
  const isForTrouble = isForTroubleAlone(file)
  const isFilesAlone = isFixed || isForTrouble
  const mayChange = mayAct && !isFilesAlone
  return html`${changed !== undefined && !isFilesAlone && html`<p class="meta">Changed here by ${by}. The file says: ${filtersInWords(file)}</p>`}
${changed !== undefined && isFilesAlone && html`<p class="meta">By the file it ${isForTrouble ? 'is for trouble alone' : 'is fixed'}: what was changed by ${by}, is not in force.</p>`}
${mayChange && html`<p><a href="${base}/channels/${name}/filters" aria-label="Change what it gets: ${name}">Change what it gets</a></p>`}`
}
