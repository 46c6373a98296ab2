import type { Outcome } from '../event/outcome.ts'
import { hintAt, plain } from '../platform/text.ts'
import { title } from '../record/explain/title.ts'
import type { ListQuery } from '../store/store.ts'
import type { ActOptions } from './acts.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { doer } from './current-user.ts'
import { CommandFailure, noChannel } from './failure.ts'
import { minuteText } from './monitor/numbers.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

export async function events(
  options: CommandOptions & { limit: number; failed?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { limit, failed } = options
  const query: ListQuery = { limit, outcome: failed ? 'failed' : undefined }
  const rows = await withControl(await configOf(options), terminal, (control) => control.events(query))
  if (options.json) return terminal.out(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  if (rows.length === 0)
    return terminal.note(failed ? 'No event has failed on a channel.\n' : 'No event has come in yet.\n')
  terminal.out(
    table(
      rows.map(({ entry, outcomes }) => [
        minuteText(entry.receivedAt),
        plain(entry.id),
        tally(outcomes),
        title(entry),
      ]),
    ),
  )
}

export async function replay(
  id: string,
  channel: string | undefined,
  options: ActOptions,
  terminal: Terminal,
): Promise<void> {
  const answer = await withControl(await configOf(options), terminal, (control) =>
    control.replay(id, channel, doer(options)),
  )
  switch (answer.result) {
    case 'unknown-event':
      throw unknown(id)
    case 'unknown-channel':
      throw noChannel(channel ?? '', answer.channels)
    case 'nothing-failed':
      throw new CommandFailure(
        `${id} has not failed on any channel that is configured; to send it all the same, name one: ${answer.channels.join(', ')}`,
      )
    case 'queued': {
      const { channels, running } = answer
      if (options.json) return terminal.out(`${JSON.stringify({ event: id, channels, running })}\n`)
      const when = running ? 'now' : 'when Bluepencil is started'
      terminal.out(`${id} will be sent again to ${channels.join(', ')}, ${when}.\n`)
    }
  }
}

function tally(outcomes: Record<string, Outcome>): string {
  const counts = new Map<string, number>()
  for (const { state } of Object.values(outcomes)) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${state.replace('_', ' ')}`).join(', ')
}

/** An event that is not stored. Among the ids of those that are, one similar to `id` is named. */
export function unknown(id: string, ids: readonly string[] = []): CommandFailure {
  const hint = hintAt(id, ids)
  return new CommandFailure(`no event ${plain(id)} is stored${hint}; bluepencil events lists the stored ones`)
}
