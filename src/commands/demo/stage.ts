import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, startApp } from '../../app/app.ts'
import { realEnvironment } from '../../app/environment.ts'
import type { AppEnvironment } from '../../app/shared-services.ts'
import { loadConfig } from '../../config/load.ts'
import { connectControl } from '../../people/control/socket.ts'
import { systemClock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import { type Sandbox, startSandbox } from '../../service/sandbox/sandbox.ts'
import { CommandFailure } from '../failure.ts'
import { filterTrials } from '../filter-trial.ts'
import { createMovedClock } from './clock.ts'
import { configurationFor } from './configuration.ts'
import { type DeliveryLine, openLine } from './line.ts'
import type { DemoStage } from './playing.ts'

/** So much time is skipped in all, so that nothing in the demo is dated later than now. */
export const skippedMs = 80 * minuteMs
/** Between two looks at what is waited for, and the longest wait; milliseconds. */
const lookMs = 25
const patienceMs = 60_000

export interface StageParts {
  seed: number
  width: number
  colour: boolean
  stopped: AbortSignal
  /** What a channel shows: one message, or one that was edited. */
  show(text: string): void
  /** What Bluepencil logs. */
  note(text: string): void
}

export async function openStage(parts: StageParts): Promise<DemoStage> {
  const { seed, width, colour, stopped, show, note } = parts
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-demo-'))
  // Also where it ends because nobody reads on, or could not begin.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const clock = createMovedClock(skippedMs)
  const service = await startSandbox({ port: 0, seed, clock })
  const line = await openLine()
  const configFile = join(folder, 'demo.yaml')
  const store = join(folder, 'store')
  writeFileSync(configFile, configurationFor({ service: service.url, webhooks: line.origin, store }))
  const config = loadConfig(configFile, process.env)

  let isSubscribed = false
  const environment: AppEnvironment = {
    ...realEnvironment,
    clock,
    writeLog: note,
    out: { write: show, width, colour },
    tryFilters: filterTrials(),
    onSubscription(state) {
      isSubscribed = state === 'active'
    },
  }
  const app = await startApp(config, environment, stopped)
  line.leadTo(app.port)
  const consoleUrl = app.consoleUrl ?? ''
  const origin = `http://127.0.0.1:${app.port}`
  const stage = { service, line, clock, configFile, stopped, origin, consoleUrl }
  const until: DemoStage['until'] = (what, ask) => waitFor(what, ask, stopped)
  const close = () => closeAll(app, service, line)
  try {
    await until('the subscription', async () => isSubscribed || undefined)
    const control = await connectControl(store)
    if (control === undefined) throw new CommandFailure('the demo could not ask Bluepencil')
    const toPresent = () => clock.move(systemClock.now() - clock.now())
    return { ...stage, control, until, toPresent, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function closeAll(app: App, service: Sandbox, line: DeliveryLine): Promise<void> {
  await app.stop()
  await service.close()
  await line.close()
}

async function waitFor<T>(what: string, ask: () => Promise<T | undefined>, stopped: AbortSignal): Promise<T> {
  for (const until = systemClock.now() + patienceMs; systemClock.now() < until; ) {
    stopped.throwIfAborted()
    const answer = await ask()
    if (answer !== undefined) return answer
    await systemClock.sleep(lookMs, stopped)
  }
  throw new CommandFailure(`the demo waited ${patienceMs / 1_000} s for ${what}`)
}
