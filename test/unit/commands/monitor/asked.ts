import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { serviceOf } from '../../../../src/commands/monitor/service.ts'
import type { ServiceDialect } from '../../../../src/service/sandbox/dialect.ts'
import { startSandbox } from '../../../../src/service/sandbox/sandbox.ts'
import { type Answer, command } from '../../../support/command.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'

/** Runs `monitor …` in this process. */
export async function ask(config: string, argv: readonly string[], width?: number): Promise<Answer> {
  return command(['monitor', ...argv, '--config', config], width)
}

interface Settings {
  apiKey?: string
  tier?: number
  rates?: string
}

/** A configuration with nothing but the service; answers its file. */
export function researcher(baseUrl: string, settings: Settings = {}): string {
  const { apiKey = 'sandbox-enterprise', tier = 1_000, rates = 'auto' } = settings
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-monitor-'))
  const file = join(folder, 'b.yaml')
  writeFileSync(file, `store: file:${folder}\nmonitor: ${JSON.stringify({ baseUrl, apiKey, tier, rates })}\n`)
  return file
}

/** The same, as `serve` has it for people in a chat. */
export const peopleService = (baseUrl: string) => serviceOf({ config: researcher(baseUrl) })

/** The same figures each time, in each form of answer. */
export async function sandbox(dialect: Partial<ServiceDialect> = {}): Promise<string> {
  const clock = createManualClock(Date.UTC(2026, 10, 21, 12))
  const service = await startSandbox({ port: 0, seed: 7, clock, dialect })
  onTestFinished(() => service.close())
  return service.url
}

/** A service of a test's own. */
export async function service(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}/v1`
}
