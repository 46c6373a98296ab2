import * as z from 'zod'
import { isForTroubleAlone } from '../../channels/settings.ts'
import { alertPath } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import type { Readiness } from '../../operators/readiness.ts'
import type { ControlStatus } from '../../people/control/control.ts'
import { filtersInWords, hoursInWords } from '../filters-in-words.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, heldFor, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  noSuchChannel,
  type PageContext,
  type PageRequest,
} from '../reply.ts'

const languages = new Intl.DisplayNames('en', { type: 'language' })

/** What all channels are shown with. */
interface ChannelStates extends Pick<ControlStatus, 'resting'>, Pick<ConsoleParts, 'filtersAt'> {
  operators: readonly string[]
  ready: Readiness
  mayAct: boolean
}

/** `tested`: what came of a test that was just sent. */
export async function showChannels(
  { context, mayAct }: PageRequest,
  { config, control, ready: readiness, filtersAt }: ConsoleParts,
  tested?: { channel: string; isSent: boolean; said: string },
): Promise<ConsoleReply> {
  const { channels, operators } = config()
  const [ready, { resting }] = await Promise.all([readiness(), control.status()])
  const states = { operators, ready, resting, mayAct, filtersAt }
  return {
    page: {
      title: 'Channels',
      body: html`<h1>Channels</h1>
${tested !== undefined && html`<p class="${tested.isSent ? 'done' : 'caveat'}" role="status"><strong>${tested.channel}:</strong> ${tested.said}</p>`}
${channels.map((channel) => channelOf(channel, states, context))}`,
    },
  }
}

/** One alert, by its id; else all that is held. */
const Held = z.object({ id: z.string().max(300).optional().catch(undefined) })

export async function sendHeld(
  { by, key, fields, parameters: { name = '' } }: ActionRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { id } = Held.parse(fields)
  const { result } = await control.sendHeld({ by, key }, name, id)
  if (result === 'unknown-channel') return noSuchChannel
  const to = id === undefined ? '/channels' : alertPath('', id)
  return { to: `${to}?done=${result === 'sent' ? 'sent-held' : 'nothing-held'}` }
}

/** Everything that is held, on all channels. A second click finds nothing held. */
export async function sendAllHeld(
  { by, key }: ActionRequest,
  { control, config }: ConsoleParts,
): Promise<ConsoleReply> {
  const results = await Promise.all(config().channels.map(({ name }) => control.sendHeld({ by, key }, name)))
  const counts = results.flatMap((sent) => (sent.result === 'sent' ? [sent.count] : []))
  if (counts.length === 0) return { to: '/?done=none-held' }
  const count = counts.reduce((sum, one) => sum + one, 0)
  return { to: `/?done=all-held-${count}-${counts.length}` }
}

export async function sendTest(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, parameters } = request
  const { name: channel = '' } = parameters
  if (!parts.config().channels.some(({ name }) => name === channel)) return noSuchChannel
  const result = await parts.sendings.test({ by, key }, channel)
  if (result === 'already') return { to: '/channels?done=sent-before' }
  return showChannels(request, parts, { channel, ...(await parts.sendTest(channel, { by, key })) })
}

function channelOf(
  settings: Config['channels'][number],
  { ready, resting, operators, mayAct, filtersAt }: ChannelStates,
  context: PageContext,
): Html {
  const { name, type, language } = settings
  const state = ready.channels.find((one) => one.name === name)
  const trouble = ready.troubles.find(({ key }) => key === `channel:${name}`)
  const rest = resting.find((one) => one.channel === name)
  return html`<section class="channel" aria-labelledby="channel-${name}">
<h2 id="channel-${name}">${name} <span class="meta">${type}</span></h2>
<p><span class="badge ${trouble === undefined ? 'sent' : 'failed'}">${trouble === undefined ? 'in order' : 'something is wrong'}</span>
${(state?.waiting ?? 0) > 0 && html`<span class="meta">${state?.waiting} waiting</span>`}</p>
${heldFor(name, state?.held, { context, mayAct })}
${trouble !== undefined && html`<p class="caveat"><strong>${trouble.title}.</strong> ${trouble.text}</p>`}
${rest !== undefined && html`<p class="meta">It rests until ${timeOf(rest.until, context.timeZone)}: ${rest.why}</p>`}
<dl class="facts">
<div><dt>Gets</dt><dd>${filtersInWords(settings)}${operators.includes(name) && ' It is also notified of trouble.'}</dd></div>
<div><dt>When</dt><dd>${hoursInWords(settings).join(' ')}</dd></div>
<div><dt>Language</dt><dd>${languages.of(language)}</dd></div>
</dl>
${filtersOf(name, { filtersAt, mayAct }, context)}
${mayAct && buttonForm(context, { action: `/channels/${name}/test`, label: 'Send a test', about: `to ${name}` })}
</section>`
}

/** Who changed what it gets, and the way to change it. */
function filtersOf(
  name: string,
  { filtersAt, mayAct }: Pick<ChannelStates, 'filtersAt' | 'mayAct'>,
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
