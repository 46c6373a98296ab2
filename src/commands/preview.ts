import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { View } from '../channels/kind.ts'
import { kindOf } from '../channels/registry.ts'
import { pipelineSettings } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { placesOf } from '../decide/accept/other-content.ts'
import { route } from '../decide/route/route.ts'
import type { Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import { exampleAlert } from '../message/render/test-message.ts'
import type { Control } from '../people/control/control.ts'
import { listed, plain } from '../platform/text.ts'
import { errorCode } from '../platform/unknown.ts'
import type { FollowUps } from '../store/near.ts'
import { messageNow } from '../trial/pipeline.ts'
import { type CommandOptions, channelNamed, configOf, withControl } from './configuration.ts'
import { unknown } from './events.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

interface PreviewOptions extends CommandOptions {
  output?: string
}

/** What a channel would show of an event, or of an example. Nothing is sent, and no provider is asked. */
export async function preview(
  name: string,
  eventId: string | undefined,
  options: PreviewOptions,
  terminal: Terminal,
): Promise<void> {
  const config = await configOf(options)
  const channel = channelNamed(name, config)
  const shown: PreviewedEvent =
    eventId === undefined
      ? { entry: exampleAlert(new Date().toISOString()), later: {} }
      : await storedEvent(eventId, channel, config, terminal)
  const message = await messageNow(config, { ...shown, channel: name })
  const shownMessage = eventId === undefined ? asExample(message) : message
  const view = await kindOf(channel).view(shownMessage, channel, config)
  const { output, json } = options
  if (output !== undefined) await writeView(view, output, name)
  if (json) {
    const text = await view.text({ width: 80, colour: false })
    const { entry, outcome } = shown
    const about = { channel: name, type: channel.type, event: entry.id, isExample: eventId === undefined }
    terminal.out(`${JSON.stringify({ ...about, outcome, text, payload: view.payload }, null, 2)}\n`)
  } else if (output === undefined) terminal.out(`${await view.text(terminal)}\n`)
  else terminal.out(`${output} shows it.\n`)
  if (eventId === undefined) terminal.note('An example: no such change was reported, and nothing was sent.\n')
  else terminal.note(becomes(name, shown))
}

/** A picture of it may be passed on without the line that says so. */
function asExample(message: Message): Message {
  return { ...message, kicker: `Example: ${message.kicker}` }
}

/** Where it would go out at once, nothing is said. */
function becomes(channel: string, { outcome }: PreviewedEvent): string {
  if (outcome?.state === 'not_sent')
    return `${channel} would not get this: ${outcome.rule}: ${plain(outcome.why, 500)}\n`
  if (outcome?.state !== 'held') return ''
  return `${channel} would get this later, held until ${outcome.until}: ${plain(outcome.why, 500)}\n`
}

async function writeView(view: View, file: string, channel: string): Promise<void> {
  const ending = extname(file).slice(1).toLowerCase()
  const files = { ...view.files, txt: `${await view.text({ width: 80, colour: false })}\n` }
  const content = Object.entries(files).find(([one]) => one === ending)?.[1]
  if (content === undefined) {
    const endings = Object.keys(files).map((one) => `.${one}`)
    throw new CommandFailure(
      `${plain(file)}: for ${channel}, the name must end in ${listed(endings, 'or')}`,
      2,
    )
  }
  try {
    await writeFile(file, content)
  } catch (error) {
    const code = errorCode(error) ?? ''
    throw new CommandFailure(`${plain(file)} cannot be written (${code})`, 1, error)
  }
}

/** What is shown, and of an event of the store what would become of it on the channel now. */
interface PreviewedEvent {
  entry: Entry
  later: FollowUps
  outcome?: Outcome
}

/** Among so many of the newest, the one that may be meant is looked for. */
const newest = 1_000

/** An event of the store as it stands now, and what would become of it on a channel. */
function storedEvent(
  id: string,
  { name }: Config['channels'][number],
  config: Config,
  terminal: Terminal,
): Promise<PreviewedEvent> {
  return withControl(config, terminal, async (control) => {
    const entry = (await control.event(id))?.entry
    if (entry === undefined) throw unknown(id, await newestIds(control))
    if (entry.kind === 'act')
      throw new CommandFailure(`${plain(id)} is something that a person did. It has no message of its own`)
    const context = { corrects: await corrected(entry, control), silences: await control.acts.silences() }
    const outcome = route(entry, pipelineSettings(config).routing, Date.now(), context)[name]
    return { entry, later: await control.later(id), ...(outcome !== undefined && { outcome }) }
  })
}

/** Channels that have the figure that it corrects get this one too. Filters don't apply. */
async function corrected(entry: Entry, control: Control) {
  if (entry.kind !== 'alert' || entry.revises === undefined || entry.before === undefined) return undefined
  const { outcomes = {} } = (await control.event(entry.revises)) ?? {}
  return placesOf(entry.revises, [{ outcomes }])
}

async function newestIds(control: Control): Promise<string[]> {
  return (await control.events({ limit: newest })).map(({ entry }) => entry.id)
}
