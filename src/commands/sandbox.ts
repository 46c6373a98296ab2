import { wrap } from '../platform/terminal.ts'
import { DialectError, dialectKeys, parseDialect, type ServiceDialect } from '../service/sandbox/dialect.ts'
import { SandboxCannotListen, startSandbox } from '../service/sandbox/sandbox.ts'
import { CommandFailure } from './failure.ts'
import { stopSignal } from './stop-signal.ts'
import type { Terminal } from './terminal.ts'

interface SandboxCommandOptions {
  port: number
  host: string
  seed: number
  speed: number
  dialect: string[]
}

/** Runs the reference implementation of the monitoring service until stopped; `--dialect help` lists its dialects. */
export async function sandbox(options: SandboxCommandOptions, terminal: Terminal): Promise<void> {
  const { port, host, seed, speed } = options
  if (options.dialect.includes('help')) {
    terminal.out(dialectHelp(terminal.width))
    return
  }
  const stopped = stopSignal()
  const service = await startSandbox({ port, host, seed, speed, dialect: dialectOf(options.dialect) }).catch(
    (error: unknown) => {
      throw error instanceof SandboxCannotListen ? new CommandFailure(error.message, 1, error) : error
    },
  )
  terminal.out(
    [
      `The monitoring service's sandbox is at ${service.url}`,
      'Keys: sandbox-free, sandbox-researcher, sandbox-pro, sandbox-enterprise; sandbox-readonly cannot manage webhooks.',
      `OAuth: POST ${service.origin}/oauth/token as sandbox-client with the secret sandbox-client-secret`,
      `Fire an event: curl -X POST ${service.origin}/_sandbox/events -H 'content-type: application/json' -d '{"type":"censorship_spike","model":"claude","category":"political","delta":12}'`,
      '',
    ].join('\n'),
  )
  await stopped
  await service.close()
}

/** A paragraph for each key: its values, the default first, and what they mean. */
function dialectHelp(width: number): string {
  const paragraphs = dialectKeys().map(({ key, values, meaning }) =>
    [`${key}=${values.join('|')}`, ...wrap(meaning, width - 4).map((line) => `    ${line}`)].join('\n'),
  )
  return `Where the specification is silent, --dialect says how the sandbox speaks; the first value is the default.\n\n${paragraphs.join('\n')}\n`
}

function dialectOf(pairs: readonly string[]): ServiceDialect {
  try {
    return parseDialect(pairs)
  } catch (error) {
    throw error instanceof DialectError ? new CommandFailure(error.message, 2, error) : error
  }
}
