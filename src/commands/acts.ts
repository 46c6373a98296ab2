import type { Scope } from '../event/act.ts'
import type { Desk } from '../event/desk.ts'
import { knownCategories, knownModels } from '../event/event.ts'
import { scopeInWords } from '../message/render/acts.ts'
import type { WantedDesk } from '../people/converse/acts.ts'
import type { KnownSilence } from '../people/converse/silences.ts'
import { endFrom, waysToEnd } from '../people/converse/until.ts'
import { counted, plain } from '../platform/text.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { doer } from './current-user.ts'
import { unknown } from './events.ts'
import { CommandFailure, noChannel } from './failure.ts'
import { minuteText } from './monitor/numbers.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

export interface ActOptions extends CommandOptions {
  by?: string
}

export async function acknowledge(id: string, options: ActOptions, terminal: Terminal): Promise<void> {
  const done = await withControl(await configOf(options), terminal, ({ acts }) =>
    acts.acknowledge(doer(options), id),
  )
  if (done.result === 'unknown') throw unknown(id)
  if (options.json) return terminal.out(`${JSON.stringify({ event: id, result: done.result })}\n`)
  const already = done.result === 'already' ? ' already' : ''
  terminal.out(
    `${plain(id)} is acknowledged${already}. Bluepencil edits its messages, if the channel allows it.\n`,
  )
}

export function checking(id: string, options: ActOptions, terminal: Terminal): Promise<void> {
  return setDesk(id, { state: 'checking' }, options, terminal)
}

export function published(id: string, story: string, options: ActOptions, terminal: Terminal): Promise<void> {
  return setDesk(id, { state: 'published', story }, options, terminal)
}

export function reopen(id: string, options: ActOptions, terminal: Terminal): Promise<void> {
  return setDesk(id, { state: 'new' }, options, terminal)
}

async function setDesk(
  id: string,
  wanted: WantedDesk,
  options: ActOptions,
  terminal: Terminal,
): Promise<void> {
  const done = await withControl(await configOf(options), terminal, ({ acts }) =>
    acts.setDesk(doer(options), id, wanted),
  )
  if (done.result === 'unknown') throw unknown(id)
  if (done.result === 'bad-address') {
    throw new CommandFailure(
      `${plain(wanted.story ?? '')} is not a valid address; write https://… without a password`,
      2,
    )
  }
  if (done.result === 'outrun')
    throw new CommandFailure(`${deskText(done.desk)}; somebody else is changing it now, try again`)
  if (options.json)
    return terminal.out(`${JSON.stringify({ event: id, result: done.result, ...done.desk })}\n`)
  const before =
    done.result === 'done' && done.before.state !== 'new' ? ` Before: ${deskText(done.before)}.` : ''
  const already = done.result === 'already' ? ' already' : ''
  terminal.out(`${plain(id)}${already}: ${deskText(done.desk)}.${before}\n`)
}

/** "Ana has been checking it since 2026-11-21 14:00Z". */
function deskText({ state, by, at = '', story = '' }: Desk): string {
  if (state === 'new' || by === undefined) return 'new: nobody has it'
  const name = plain(by.name)
  if (state === 'checking') return `${name} has been checking it since ${minuteText(at)}`
  return `${name} published ${story} on ${minuteText(at)}`
}

export interface SilenceOptions extends ActOptions {
  for: string
  why: string
  channel?: string
}

export async function addSilence(
  model: string,
  category: string | undefined,
  options: SilenceOptions,
  terminal: Terminal,
): Promise<void> {
  const config = await configOf(options)
  const { channel } = options
  const names = config.channels.map(({ name }) => name)
  if (channel !== undefined && !names.includes(channel)) {
    throw noChannel(channel, names)
  }
  const wanted = model.toLowerCase()
  if (wanted !== 'all' && !knownModels.some((known) => known === wanted)) {
    throw new CommandFailure(`${plain(model)} is not one of ${knownModels.join(', ')}, all`, 2)
  }
  const zone = config.channels.find(({ name }) => name === channel)?.timeZone ?? config.channels[0]?.timeZone
  const until = endFrom(options.for, zone ?? 'UTC', Date.now())
  if (until === undefined)
    throw new CommandFailure(`--for ${plain(options.for)} cannot be read; write ${waysToEnd}`, 2)
  const scope: Scope = {
    ...(wanted !== 'all' && { model: wanted }),
    ...(category !== undefined && category.toLowerCase() !== 'all' && { category: category.toLowerCase() }),
    ...(channel !== undefined && { channel }),
  }
  const done = await withControl(config, terminal, ({ acts }) =>
    acts.silence(doer(options), { scope, until, why: options.why }),
  )
  if (done.result === 'bad-end' || done.result === 'unknown') {
    throw new CommandFailure(
      `--for ${plain(options.for)}: a silence must end in the future, within 30 days`,
      2,
    )
  }
  if (done.result === 'no-category') {
    const categories = [...knownCategories, 'all'].join(', ')
    throw new CommandFailure(
      `No alert has had the category ${plain(scope.category ?? '')}; there are ${categories}.`,
      2,
    )
  }
  if (options.json) return terminal.out(`${JSON.stringify(done.silence)}\n`)
  const { id, until: ends } = done.silence
  terminal.out(
    `${id}: alerts about ${scopeInWords(scope)} are held until ${minuteText(ends)}. Then one message lists them.\n`,
  )
}

export async function listSilences(options: CommandOptions, terminal: Terminal): Promise<void> {
  const silences = await withControl(await configOf(options), terminal, ({ acts }) => acts.silences())
  if (options.json) return terminal.out(silences.map((one) => `${JSON.stringify(one)}\n`).join(''))
  if (silences.length === 0) return terminal.note('There are no active silences.\n')
  terminal.out(table(silences.map(row)))
}

function row({ id, scope, until, by, why }: KnownSilence): string[] {
  return [id, scopeInWords(scope), `until ${minuteText(until)}`, `${plain(by.name)}: ${plain(why, 200)}`]
}

export async function endSilence(id: string, options: ActOptions, terminal: Terminal): Promise<void> {
  const done = await withControl(await configOf(options), terminal, ({ acts }) =>
    acts.endSilence(doer(options), id),
  )
  if (done.result === 'unknown') {
    throw new CommandFailure(
      `there is no silence ${plain(id)}; bluepencil silence list shows the active ones`,
    )
  }
  if (options.json) return terminal.out(`${JSON.stringify(done.silence)}\n`)
  terminal.out(
    done.result === 'already'
      ? `${plain(id)} had ended already.\n`
      : `${plain(id)} has ended. The alerts that it held go out in one message.\n`,
  )
}

/** What is held goes out as one message, or as itself if there is only one. */
export async function sendHeld(
  channel: string,
  id: string | undefined,
  options: ActOptions,
  terminal: Terminal,
): Promise<void> {
  const done = await withControl(await configOf(options), terminal, (control) =>
    control.sendHeld(doer(options), channel, id),
  )
  if (done.result === 'unknown-channel') throw noChannel(channel, done.channels)
  if (options.json) return terminal.out(`${JSON.stringify(done)}\n`)
  if (done.result === 'nothing-held') return terminal.note(`Nothing is held for ${channel}.\n`)
  const goes = done.count === 1 ? 'goes' : 'go'
  const when = done.running ? 'now' : 'when serve runs'
  terminal.out(`${counted(done.count, 'held alert')} ${goes} to ${channel} ${when}.\n`)
}
