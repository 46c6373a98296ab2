import { painted, plain } from '../platform/text.ts'
import { type Explained, explained } from '../record/explain/explained.ts'
import { type SentWords, sentMessages } from '../record/explain/sent-messages.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { unknown } from './events.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

interface ExplainOptions extends CommandOptions {
  /** What was sent, word for word, too. */
  messages?: boolean
}

export async function explain(id: string, options: ExplainOptions, terminal: Terminal): Promise<void> {
  const config = await configOf(options)
  await withControl(config, terminal, async (control) => {
    const stored = await control.event(id)
    if (stored === undefined) throw unknown(id)
    if (options.json) return terminal.out(`${JSON.stringify(stored, null, 2)}\n`)
    terminal.out(textOf(stored.entry.id, await explained(stored, control), terminal))
    if (options.messages) terminal.out(messagesText(sentMessages(stored.outcomes)))
  })
}

function textOf(
  id: string,
  { title, came, marks, outcomes, members }: Explained,
  { colour }: Terminal,
): string {
  const rows = outcomes.flatMap(({ channel, state, reason, earlier }) => [
    [`  ${channel}`, state.replace('_', ' '), reason],
    ...earlier.map((end) => ['    earlier', end.state?.replace('_', ' ') ?? '', end.reason]),
  ])
  const of = members.map((one) => [`  ${plain(one.id)}`, one.title])
  return [
    `${painted('bold', title, colour)}\n${plain(id)}: ${came}\n`,
    ...marks.map((line) => `  ${line}\n`),
    table(rows),
    ...(of.length === 0 ? [] : [`of these:\n${table(of)}`]),
  ].join('')
}

function messagesText(messages: readonly SentWords[]): string {
  if (messages.length === 0) return 'It was not sent to anybody.\n'
  return messages
    .flatMap(({ head, lines }) => [head, ...lines.map((line) => `  ${line}`)])
    .map((line) => `${line}\n`)
    .join('')
}
