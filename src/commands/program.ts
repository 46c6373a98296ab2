import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../config/error.ts'
import { flagOf, questions } from '../config/setup/questions.ts'
import { version } from '../config/version.ts'
import { CannotListen } from '../platform/server/listen.ts'
import { MonitorError } from '../service/client/errors.ts'
import { StoreRefused, StoreUnavailable } from '../store/store.ts'
import { addActCommands, addConfigCommands } from './act-commands.ts'
import { addEventCommands, addKeepingCommands } from './event-commands.ts'
import { CommandFailure } from './failure.ts'
import { type CommandMakers, examples, runIn } from './make.ts'
import { addMonitorCommands } from './monitor/commands.ts'
import { processTerminal, type Terminal } from './terminal.ts'

/** Errors whose message is all that a person needs. */
const expected = [StoreRefused, StoreUnavailable, CannotListen, MonitorError]

/** Runs the command line and answers the exit code: 0 done, 1 failed, 2 usage or configuration. */
export async function run(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  // `events | head`: the reader has seen enough.
  process.stdout.once('error', () => process.exit(0))
  let exitCode = 0
  const program = build(terminal, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return explainError(error, terminal)
  }
}

function explainError(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (process.env.BLUEPENCIL_DEBUG && error instanceof Error) terminal.note(`${error.stack}\n`)
  if (error instanceof ConfigError) {
    terminal.note(`${error.message}\n`)
    return 2
  }
  if (error instanceof CommandFailure) {
    terminal.note(`bluepencil: ${error.message}\n`)
    return error.exitCode
  }
  const isExpected = expected.some((kind) => error instanceof kind)
  const message = error instanceof Error ? error.message : String(error)
  const hint = isExpected ? '' : ' (BLUEPENCIL_DEBUG=1 shows where)'
  terminal.note(`bluepencil: ${message}${hint}\n`)
  return 1
}

function build(terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command('bluepencil')
    .description(
      'Alerts a newsroom, in Slack, Discord and e-mail, when an AI chat model changes what it refuses to say.',
    )
    .version(version(), '--version')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.note,
      getOutHelpWidth: () => terminal.width,
      getErrHelpWidth: () => terminal.width,
    })
    .showHelpAfterError('(bluepencil COMMAND --help shows examples)')
    .addHelpText(
      'after',
      examples('bluepencil demo', 'bluepencil init', 'bluepencil check', 'bluepencil serve'),
    )

  const command: CommandMakers['command'] = (name, summary, ...shown) =>
    program
      .command(name)
      .description(summary)
      .addHelpText('after', examples(...shown))
  const configured: CommandMakers['command'] = (name, summary, ...shown) =>
    command(name, summary, ...shown).option(
      '-c, --config <FILE>',
      'the configuration (default: BLUEPENCIL_CONFIG, then config/bluepencil.yaml)',
    )
  const asking: CommandMakers['command'] = (name, summary, ...shown) =>
    configured(name, summary, ...shown).option('--json', 'for machines')
  const below: CommandMakers['below'] = (parent, name, summary) =>
    parent
      .command(name)
      .description(summary)
      .option('-c, --config <FILE>', 'the configuration')
      .option('--json', 'for machines')
  const run = runIn(terminal, exit)
  const makers: CommandMakers = { command, asking, below, run }

  const init = configured(
    'init',
    'set up Bluepencil: asks questions, tries each answer, sends a test alert, writes the configuration',
    'bluepencil init',
    'bluepencil init --channel slack-webhook --slack-webhook https://hooks.slack.com/services/…',
    'bluepencil init --add channel',
  )
  for (const { id, argument, summary, variable } of questions) {
    const also = variable === undefined ? '' : ` (without a terminal, else ${variable} of the environment)`
    init.option(`${flagOf(id)} ${argument}`, `${summary}${also}`)
  }
  init
    .addOption(
      new Option('--add <WHAT>', 'add to the configuration that is there, without asking what to do').choices(
        ['channel', 'service', 'account'],
      ),
    )
    .option('--overwrite', 'replace what is there, without asking')
    .option('--no-try', 'write the files without trying the answers; no test alert is sent')
    .action(run(async () => (await import('./init/init.ts')).init))

  configured(
    'serve',
    'receive events and alert the channels, until stopped',
    'bluepencil serve --config config/bluepencil.yaml',
  )
    .option('--wait', 'where the configuration cannot be used, wait until it is changed', false)
    .action(run(async () => (await import('./serve.ts')).serve))

  command(
    'demo',
    'see everything in a minute, without an account',
    'bluepencil demo',
    'bluepencil demo --once',
  )
    .option('--seed <N>', 'the same seed gives the same events', wholeNumber, 1)
    .option('--once', 'end after the last act', false)
    .action(run(async () => (await import('./demo/demo.ts')).demo))

  command(
    'sandbox',
    'run a simulated monitoring service on this machine',
    'bluepencil sandbox --port 4010',
    'bluepencil sandbox --dialect signature.hash=sha512 --dialect list-shape=data',
    'bluepencil sandbox --dialect help',
  )
    .option('--port <N>', 'where it listens; 0 picks a free port', wholeNumber, 4010)
    .option('--host <ADDRESS>', 'the address it listens on', '127.0.0.1')
    .option('--seed <N>', 'the same seed gives the same events', wholeNumber, 1)
    .option('--speed <X>', 'how often models change; 1: about one event a day, 0: never by itself', factor, 0)
    .option(
      '--dialect <KEY=VALUE>',
      'choose a behaviour that the specification leaves open (repeat for more; help lists all)',
      collect,
      [],
    )
    .action(run(async () => (await import('./sandbox.ts')).sandbox))

  command(
    'slack-manifest',
    'print a manifest for your Slack app, with the scopes that it needs',
    'bluepencil slack-manifest > manifest.json',
  )
    .option('--name <NAME>', 'the name of the app and its bot', appName, 'Bluepencil')
    .option(
      '--post-to <URL>',
      'the public address of /slack, if Slack can post to it; else Socket Mode, which needs no address',
    )
    .action(run(async () => (await import('./accounts.ts')).slackManifest))

  configured(
    'discord-invite',
    'print the link that adds the bot to a server, with the permissions that it needs',
    'bluepencil discord-invite 1180000000000000001',
  )
    .argument('[application-id]', 'else discord.applicationId of the configuration')
    .action(run(async () => (await import('./accounts.ts')).discordInvite))

  asking(
    'check',
    'test whether everything works: accounts, channels, subscription, disk',
    'bluepencil check',
    'bluepencil check --store',
    'bluepencil check --json',
  )
    .option('--store', 'only read the whole store and list what is damaged')
    .action(run(async () => (await import('./check.ts')).check))

  asking('test-alert', 'send a test message to one channel', 'bluepencil test-alert ai-desk')
    .argument('<channel>', 'its name in the configuration')
    .action(run(async () => (await import('./test-alert.ts')).testAlert))

  asking(
    'preview',
    'show how a channel displays an event or an example; sends nothing',
    'bluepencil preview ai-desk',
    'bluepencil preview ai-desk evt_01HZX --output alert.json',
  )
    .argument('<channel>', 'its name in the configuration')
    .argument('[event-id]', 'else an example')
    .option('-o, --output <FILE>', 'a file: .txt; for Slack and Discord .json; for e-mail .eml or .html')
    .action(run(async () => (await import('./preview.ts')).preview))

  addEventCommands(makers)
  addActCommands(makers)
  addConfigCommands(makers)

  const user = command(
    'console-user',
    'make the entry for console.users that lets a person sign in to the console',
    'bluepencil console-user ana --role editor',
    'bluepencil console-user ana < password.txt',
    'bluepencil console-user reset ana',
  )
    .argument('<name>', 'the name to sign in with')
    .addOption(
      new Option('--role <ROLE>', 'what they may').choices(['reader', 'editor', 'admin']).default('reader'),
    )
    .action(run(async () => (await import('./console-user.ts')).consoleUser))
  below(user, 'reset', 'a new password for an account that was made in the browser; it is shown this once')
    .argument('<name>')
    .option('--by <NAME>', 'who does this (default: the name of this account)')
    .action(run(async () => (await import('./config.ts')).resetUser))

  const subscriptions = command(
    'subscriptions',
    'list your subscriptions at the monitoring service',
    'bluepencil subscriptions list',
    'bluepencil subscriptions delete wh_123',
  )
  below(subscriptions, 'list', 'every subscription of this key').action(
    run(async () => (await import('./subscriptions.ts')).list),
  )
  below(
    subscriptions,
    'create',
    'subscribe by hand; shows the secret once, for webhook.secrets. If the service shows none: exit 1, and null with --json',
  )
    .option('--url <URL>', 'where deliveries go (else from webhook.publicUrl)')
    .action(run(async () => (await import('./subscriptions.ts')).create))
  below(subscriptions, 'delete', 'end a subscription')
    .argument('<id>', 'wh_…')
    .action(run(async () => (await import('./subscriptions.ts')).remove))

  addKeepingCommands(makers)

  const monitor = command(
    'monitor',
    'read the figures of the monitoring service',
    'bluepencil monitor history claude --period 90d --category political',
    'bluepencil monitor compare claude,gemini --json',
  )
  addMonitorCommands(monitor, run)
  return program
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Slack allows 35 characters (app manifest, display_information.name). */
function appName(text: string): string {
  if (!/^[^\p{C}<>&]{1,35}$/u.test(text)) throw new InvalidArgumentError('It must have 1 to 35 characters.')
  return text
}

function factor(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It must be a number, 0 or more.')
  return value
}

function collect(value: string, before: string[]): string[] {
  return [...before, value]
}
