import { Option } from 'commander'
import { waysToEnd } from '../people/converse/until.ts'
import type { CommandMakers } from './make.ts'

const byOption = ['--by <NAME>', 'who does this (default: the name of this account)'] as const

/** What people may do in a chat or in the console, from a shell. */
export function addActCommands({ asking, command, below, run }: CommandMakers): void {
  const readers = command(
    'readers',
    'the mail readers: who unsubscribed, and whose address a server rejects',
    'bluepencil readers list',
    'bluepencil readers restore ombud@desk.example policy-mail',
  )
  below(readers, 'list', 'every reader of every channel of type email').action(
    run(async () => (await import('./readers.ts')).list),
  )
  below(readers, 'restore', 'send mail to an address again, after it unsubscribed or was rejected')
    .argument('<address>')
    .argument('[channel]', 'needed if the reader unsubscribed from it')
    .option(...byOption)
    .action(run(async () => (await import('./readers.ts')).restore))

  asking(
    'acknowledge',
    'acknowledge an alert: its messages show who has it',
    'bluepencil acknowledge evt_01HZX',
    'bluepencil acknowledge evt_01HZX --by "Ana Lopes"',
  )
    .argument('<event-id>')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).acknowledge))

  const desk = command(
    'desk',
    'set what the desk does about an alert: its messages show it',
    'bluepencil desk checking evt_01HZX',
    'bluepencil desk published evt_01HZX https://news.example/claude-refuses --by "Ana Lopes"',
    'bluepencil desk reopen evt_01HZX',
  )
  below(desk, 'checking', 'you check it, also if somebody else did before')
    .argument('<event-id>')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).checking))
  below(desk, 'published', 'a story about it is published')
    .argument('<event-id>')
    .argument('<address>', 'of the story, with https:// or http://')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).published))
  below(desk, 'reopen', 'nobody checks it: it is new again')
    .argument('<event-id>')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).reopen))

  asking(
    'send-held',
    'send held alerts of a channel now (quiet hours, digest, flood or silence)',
    'bluepencil send-held ai-desk',
    'bluepencil send-held ai-desk evt_01HZX',
  )
    .argument('<channel>', 'its name in the configuration')
    .argument('[event-id]', 'only this alert')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).sendHeld))

  const silence = command(
    'silence',
    'hold alerts about a model for a while; then one message lists them',
    'bluepencil silence add claude political --for 1h --why "known, we are writing about it"',
    'bluepencil silence add all --for tomorrow --channel ai-desk --why "election night"',
    'bluepencil silence list',
    'bluepencil silence end act_0f9d',
  )
  below(silence, 'add', 'begin one; it always ends, within 30 days')
    .argument('<model>', 'chatgpt, claude, gemini, mistral, qwen or all')
    .argument('[category]', 'only alerts about this category of prompts')
    .requiredOption('--for <TIME>', waysToEnd)
    .requiredOption('--why <TEXT>', 'the reason that others see')
    .option('--channel <NAME>', 'only on this channel')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).addSilence))
  below(silence, 'list', 'the active silences').action(
    run(async () => (await import('./acts.ts')).listSilences),
  )
  below(silence, 'end', 'end one early; what it held goes out')
    .argument('<id>', 'act_…')
    .option(...byOption)
    .action(run(async () => (await import('./acts.ts')).endSilence))

  const token = command(
    'token',
    'let a program read what the console shows: feeds (token in the address), files and the API (token in a header)',
    'bluepencil token add "Notebook of the data team" --for api',
    'bluepencil token list',
    'bluepencil token revoke tok_0f9d',
  )
  below(token, 'add', 'make one; it is shown only once')
    .argument('<name>', 'who or what uses it')
    .addOption(new Option('--for <USE>', 'what it opens').choices(['feeds', 'api']).makeOptionMandatory())
    .option(...byOption)
    .action(run(async () => (await import('./tokens.ts')).addToken))
  below(token, 'list', 'all tokens, and when each was last used').action(
    run(async () => (await import('./tokens.ts')).listTokens),
  )
  below(token, 'revoke', 'revoke one: it stops working')
    .argument('<id>', 'tok_…')
    .option(...byOption)
    .action(run(async () => (await import('./tokens.ts')).revokeToken))
}

/** The configuration as a whole, and what was made of it in the browser. */
export function addConfigCommands({ command, below, run }: CommandMakers): void {
  const config = command(
    'config',
    'the configuration in use, and the part that was made in the browser',
    'bluepencil config show > bluepencil.yaml',
    'bluepencil config export browser.yaml',
    'bluepencil config import browser.yaml',
  )
  below(
    config,
    'show',
    'the whole configuration in use, as a file for serve; secrets are names of variables',
  ).action(run(async () => (await import('./config.ts')).showConfig))
  below(config, 'export', 'the part that was made in the browser, as a file with its secrets')
    .argument('<file>')
    .action(run(async () => (await import('./config.ts')).exportConfig))
  below(config, 'import', 'add the channels and sections of a file to that part')
    .argument('<file>')
    .option(...byOption)
    .action(run(async () => (await import('./config.ts')).importConfig))
  below(config, 'clear', 'remove that part; then only the configuration file is used')
    .option(...byOption)
    .action(run(async () => (await import('./config.ts')).clearConfig))
}
