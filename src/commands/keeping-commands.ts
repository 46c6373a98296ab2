import type { MakeCommand } from './act-commands.ts'
import type { CommandOptions } from './configuration.ts'
import type { Terminal } from './terminal.ts'

/** What is kept: proof of an alert, and the store as a whole. */
export function addKeepingCommands(
  { asking, command }: { asking: MakeCommand; command: MakeCommand },
  terminal: Terminal,
  exit: (code: number) => void,
): void {
  asking(
    'evidence',
    'one file for an alert: what came to the byte, its signature, what was sent to whom, its place in the chain',
    'bluepencil evidence evt_01HZX',
    'bluepencil evidence evt_01HZX --output spike.evidence.json',
  )
    .argument('<event-id>')
    .option('-o, --output <FILE>', 'else EVENT_ID.evidence.json')
    .action(async (id: string, options: CommandOptions & { output?: string }) =>
      (await import('./evidence.ts')).evidence(id, options, terminal),
    )

  command(
    'verify',
    'check a file of evidence: by itself, without a store, a configuration or a network',
    'bluepencil verify evt_01HZX.evidence.json',
    'bluepencil verify evt_01HZX.evidence.json --head 5e1c… --secret-file secret.txt',
  )
    .argument('<file>')
    .option(
      '--secret-file <FILE>',
      'the signing secret, to check the signature itself (else BLUEPENCIL_VERIFY_SECRET)',
    )
    .option('--head <HEAD>', 'a head of the chain that was published: does it stand for this event')
    .option('--json', 'for machines')
    .action(async (file: string, options: { secretFile?: string; head?: string; json?: boolean }) =>
      exit(await (await import('./verify.ts')).verify(file, options, terminal)),
    )

  asking(
    'chain',
    'the newest head of the hash chain over what was accepted, to be published',
    'bluepencil chain',
    'bluepencil chain --json',
  ).action(async (options: CommandOptions) => (await import('./evidence.ts')).chain(options, terminal))

  asking(
    'backup',
    'copy the store into one file, as it is at one moment; serve may run',
    'bluepencil backup bluepencil-2026-11-23.tar.gz',
  )
    .argument('<file>')
    .action(async (file: string, options: CommandOptions) =>
      (await import('./backup.ts')).backup(file, options, terminal),
    )

  asking(
    'restore',
    'put a backup where "store" of the configuration says, if nothing is there; serve must not run',
    'bluepencil restore bluepencil-2026-11-23.tar.gz',
  )
    .argument('<file>')
    .option(
      '--send-held',
      'send what was held and has fallen due since: only where the service had stopped before it could have',
    )
    .action(async (file: string, options: CommandOptions & { sendHeld?: boolean }) =>
      (await import('./restore.ts')).restore(file, options, terminal),
    )

  const store = command(
    'store',
    'the store of a service that does not run',
    'bluepencil store migrate file:./data "postgres://bluepencil:$PASSWORD@db.example/bluepencil"',
  )
  store
    .command('migrate')
    .description(
      'copy everything from one store to another that is empty, and compare them; begun again where it was broken off',
    )
    .argument('<from>', 'as "store" of the configuration names it: file:… or postgres://…')
    .argument('<to>', 'likewise')
    .option('--json', 'for machines')
    .action(async (from: string, to: string, options: { json?: boolean }) =>
      (await import('./store-migrate.ts')).storeMigrate(from, to, options, terminal),
    )
}
