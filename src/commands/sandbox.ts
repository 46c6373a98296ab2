import { type Dialect, DialectError, parseDialect } from '../sandbox/dialect.ts'
import { CannotListen } from '../sandbox/listen.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { Failure } from './failure.ts'
import { stopSignal } from './stop-signal.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  port: number
  host: string
  seed: number
  speed: number
  dialect: string[]
}

/** Runs the reference implementation of the monitoring service until stopped. */
export async function sandbox(options: Options, terminal: Terminal): Promise<void> {
  const { port, host, seed, speed } = options
  const stopped = stopSignal()
  const service = await startSandbox({ port, host, seed, speed, dialect: dialectOf(options.dialect) }).catch(
    (error: unknown) => {
      throw error instanceof CannotListen
        ? new Failure(`${error.message}; choose another --port`, 1, error)
        : error
    },
  )
  terminal.out(
    [
      `The monitoring service's sandbox is at ${service.url}`,
      'Keys: sandbox-free, sandbox-researcher, sandbox-pro, sandbox-enterprise; sandbox-readonly may not manage webhooks.',
      `Fire an event: curl -X POST ${service.origin}/_sandbox/events -H 'content-type: application/json' -d '{"type":"censorship_spike","model":"claude","category":"political","delta":12}'`,
      '',
    ].join('\n'),
  )
  await stopped
  await service.close()
}

function dialectOf(pairs: readonly string[]): Dialect {
  try {
    return parseDialect(pairs)
  } catch (error) {
    throw error instanceof DialectError ? new Failure(error.message, 2, error) : error
  }
}
