import { type Command, Option } from 'commander'
import { waysToEnd } from '../people/converse/until.ts'
import type { ActOptions, SilenceOptions } from './acts.ts'
import type { CommandOptions } from './configuration.ts'
import type { Terminal } from './terminal.ts'
import type { TokenOptions } from './tokens.ts'

/** Makes a command, with its summary and the examples of its help. */
export type MakeCommand = (name: string, summary: string, ...shown: string[]) => Command

/** What people may do in a chat or in the console, from a shell. */
export function addActCommands(
  make: { asking: MakeCommand; command: MakeCommand },
  terminal: Terminal,
): void {
  make
    .asking(
      'acknowledge',
      'note on an alert’s messages that somebody has it',
      'bluepencil acknowledge evt_01HZX',
      'bluepencil acknowledge evt_01HZX --by "Ana Lopes"',
    )
    .argument('<event-id>')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (id: string, options: ActOptions) =>
      (await import('./acts.ts')).acknowledge(id, options, terminal),
    )

  make
    .asking(
      'send-held',
      'send now what waits for a channel: in quiet hours, for a digest, in a flood or by a silence',
      'bluepencil send-held ai-desk',
      'bluepencil send-held ai-desk evt_01HZX',
    )
    .argument('<channel>', 'its name in the configuration')
    .argument('[event-id]', 'only this alert')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (channel: string, id: string | undefined, options: ActOptions) =>
      (await import('./acts.ts')).sendHeld(channel, id, options, terminal),
    )

  const silence = make.command(
    'silence',
    'hold the alerts about a model for a time; then one message says what came',
    'bluepencil silence add claude political --for 1h --why "known, we are writing about it"',
    'bluepencil silence add all --for tomorrow --channel ai-desk --why "election night"',
    'bluepencil silence list',
    'bluepencil silence end act_0f9d',
  )
  const silenced = (name: string, summary: string) =>
    silence
      .command(name)
      .description(summary)
      .option('-c, --config <FILE>', 'the configuration')
      .option('--json', 'for machines')
  silenced('add', 'begin one; it always ends, within 30 days')
    .argument('<model>', 'chatgpt, claude, gemini, mistral, qwen or all')
    .argument('[category]', 'only alerts about this category of prompts')
    .requiredOption('--for <TIME>', waysToEnd)
    .requiredOption('--why <TEXT>', 'what the others are told')
    .option('--channel <NAME>', 'only on this channel')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (model: string, category: string | undefined, options: SilenceOptions) =>
      (await import('./acts.ts')).addSilence(
        { model, ...(category !== undefined && { category }) },
        options,
        terminal,
      ),
    )
  silenced('list', 'those in force').action(async (options: CommandOptions) =>
    (await import('./acts.ts')).listSilences(options, terminal),
  )
  silenced('end', 'end one before its time; what it held goes out')
    .argument('<id>', 'act_…')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (id: string, options: ActOptions) =>
      (await import('./acts.ts')).endSilence(id, options, terminal),
    )

  const token = make.command(
    'token',
    'let a program read what the console shows: feeds by an address, files and the API by a header',
    'bluepencil token add "Notebook of the data team" --for api',
    'bluepencil token list',
    'bluepencil token revoke tok_0f9d',
  )
  const about = (name: string, summary: string) =>
    token
      .command(name)
      .description(summary)
      .option('-c, --config <FILE>', 'the configuration')
      .option('--json', 'for machines')
  about('add', 'make one; it is shown this once, and stored nowhere')
    .argument('<name>', 'who or what reads with it')
    .addOption(new Option('--for <USE>', 'what it opens').choices(['feeds', 'api']).makeOptionMandatory())
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (name: string, options: TokenOptions) =>
      (await import('./tokens.ts')).addToken(name, options, terminal),
    )
  about('list', 'those that were made, and when each was used last').action(async (options: CommandOptions) =>
    (await import('./tokens.ts')).listTokens(options, terminal),
  )
  about('revoke', 'end one: nobody reads with it any more')
    .argument('<id>', 'tok_…')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (id: string, options: ActOptions) =>
      (await import('./tokens.ts')).revokeToken(id, options, terminal),
    )
}
