import { painted } from '../../text/painted.ts'
import type { Channel } from '../channel.ts'
import type { ConsoleSettings } from './config.ts'
import { previewOf } from './preview.ts'

export interface ConsoleOutput {
  write(text: string): void
  width: number
  colour: boolean
}

/** Channels that write to the terminal, each message as it would read elsewhere. */
export function openConsole(channels: readonly ConsoleSettings[], out: ConsoleOutput): Channel[] {
  return channels.map((settings) => ({
    name: settings.name,
    type: settings.type,
    paceMs: 0,
    async send(message) {
      const preview = await previewOf(message, settings, out)
      out.write(`${heading(settings, out.colour)}\n${preview}\n\n`)
      return { result: 'sent', receipt: { text: 'written to the terminal' } }
    },
    async check() {
      return [{ level: 'ok', what: 'terminal', text: `writes to standard output, ${settings.as}` }]
    },
    async close() {},
  }))
}

function heading({ name, as }: ConsoleSettings, colour: boolean): string {
  const text = as === 'plain' ? name : `${name}, as it reads in ${places[as]}`
  return painted('dim', text, colour)
}

const places = { slack: 'Slack', discord: 'Discord', email: 'a mail reader' }
