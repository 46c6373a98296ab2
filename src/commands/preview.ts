import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { View } from '../channels/kind.ts'
import { kindOf } from '../channels/registry.ts'
import type { Config } from '../config/schema.ts'
import type { Message } from '../message/message.ts'
import { exampleAlert } from '../message/render/test-message.ts'
import { listed, nearest, plain } from '../platform/text.ts'
import { messageNow } from '../trial/message.ts'
import { type CommandOptions, configOf } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import { type PreviewedEvent, storedEvent } from './preview-event.ts'
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
  const config = configOf(options)
  const channel = channelOf(config, name)
  const shown: PreviewedEvent =
    eventId === undefined
      ? { entry: exampleAlert(new Date().toISOString()), later: {} }
      : await storedEvent(eventId, channel, config, terminal)
  const message = await messageNow(config, { ...shown, channel: name })
  const view = await kindOf(channel).view(
    eventId === undefined ? asExample(message) : message,
    channel,
    config,
  )
  const { output, json } = options
  if (output !== undefined) await writeView(view, output, name)
  if (json) {
    const text = await view.text({ width: 80, colour: false })
    const { entry, outcome } = shown
    const about = { channel: name, type: channel.type, event: entry.id, isExample: eventId === undefined }
    terminal.out(`${JSON.stringify({ ...about, outcome, text, payload: view.payload }, null, 2)}\n`)
  } else if (output === undefined) terminal.out(`${await view.text(terminal)}\n`)
  else terminal.out(`${output} shows it.\n`)
  if (eventId === undefined)
    terminal.note('An example: nothing of the sort was reported, and nothing was sent.\n')
  else terminal.note(becomes(name, shown))
}

function channelOf({ channels }: Config, name: string): Config['channels'][number] {
  const channel = channels.find((one) => one.name === name)
  if (channel !== undefined) return channel
  const names = channels.map((one) => one.name)
  const meant = nearest(name, names)
  const asked = meant === undefined ? '' : ` (is ${meant} meant?)`
  throw new CommandFailure(
    `there is no channel called ${plain(name)}${asked}; there are ${names.join(', ')}`,
    2,
  )
}

/** A picture of it may be passed on without the line that says so. */
function asExample(message: Message): Message {
  return { ...message, kicker: `Example: ${message.kicker}` }
}

/** Where it would go out at once, nothing is said. */
function becomes(channel: string, { outcome }: PreviewedEvent): string {
  if (outcome?.state === 'not_sent')
    return `${channel} would not be sent this: ${outcome.rule}: ${plain(outcome.why, 500)}\n`
  if (outcome?.state !== 'held') return ''
  return `${channel} would be sent this later, held until ${outcome.until}: ${plain(outcome.why, 500)}\n`
}

async function writeView(view: View, file: string, channel: string): Promise<void> {
  const ending = extname(file).slice(1).toLowerCase()
  const files = { ...view.files, txt: `${await view.text({ width: 80, colour: false })}\n` }
  const content = Object.entries(files).find(([one]) => one === ending)?.[1]
  if (content === undefined) {
    const endings = Object.keys(files).map((one) => `.${one}`)
    throw new CommandFailure(
      `${plain(file)}: what ${channel} shows is written to a file that ends in ${listed(endings, 'or')}`,
      2,
    )
  }
  try {
    await writeFile(file, content)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new CommandFailure(`${plain(file)} cannot be written (${code})`, 1, error)
  }
}
