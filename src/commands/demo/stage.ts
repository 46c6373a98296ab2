import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../app/app.ts'
import { type AppEnvironment, realEnvironment } from '../../app/environment.ts'
import { readConfigFile } from '../../config/load.ts'
import { connectControl } from '../../people/control/connect.ts'
import type { Control } from '../../people/control/control.ts'
import { systemClock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import { exchange } from '../../platform/outbound/exchange.ts'
import { type Sandbox, startSandbox } from '../../service/sandbox/sandbox.ts'
import { filterTrials } from '../console-trials.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { createMovedClock, type DemoClock } from './clock.ts'
import { type DeliveryLine, openLine } from './line.ts'
import type { DemoPrinter } from './say.ts'

/** The monitoring service, the line by which it reaches us, and Bluepencil, on one clock that can be moved on. */
export interface DemoStage {
  service: Sandbox
  line: DeliveryLine
  clock: DemoClock
  /** Where Bluepencil serves. */
  origin: string
  /** Where its console is. */
  consoleUrl: string
  /** For commands in another terminal. */
  configFile: string
  /** What the store has, asked as such a command asks. */
  control: Control
  /** Ends when somebody stops the demo. */
  stopped: AbortSignal
  /** Waits until there is an answer. Rejects with a `CommandFailure` that says what was waited for. */
  until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T>
  /** Moves the clock on until the present; it is the system's from then on. */
  toPresent(): void
  close(): Promise<void>
}

/** What an act has: the stage, its voice, and what the channels have shown so far, oldest first. */
export interface DemoContext {
  stage: DemoStage
  say: DemoPrinter
  messages: readonly string[]
  /** For a command that is run as a person would. */
  terminal: Terminal
}

/** So much time is skipped in all, so that nothing in the demo is dated later than now. */
export const skippedMs = 80 * minuteMs
/** How often the demo asks for what it waits for, and how long; milliseconds. */
const askEveryMs = 25
const patienceMs = 60_000

/** `show` gets what a channel shows, also of a message that was edited; `note` what Bluepencil logs. */
export async function openStage(
  seed: number,
  stopped: AbortSignal,
  { show, note, width, colour }: { show(text: string): void } & Pick<Terminal, 'note' | 'width' | 'colour'>,
): Promise<DemoStage> {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-demo-'))
  // Also if nobody reads on, or if the demo could not begin.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const clock = createMovedClock(skippedMs)
  const service = await startSandbox({ port: 0, seed, clock })
  const line = await openLine()
  const configFile = join(folder, 'demo.yaml')
  const store = join(folder, 'store')
  writeFileSync(configFile, configurationFor({ service: service.url, webhooks: line.origin, store }))
  const config = readConfigFile(configFile, process.env)

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
  const close = async () => {
    await app.stop()
    await service.close()
    await line.close()
  }
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

async function waitFor<T>(what: string, ask: () => Promise<T | undefined>, stopped: AbortSignal): Promise<T> {
  for (const until = systemClock.now() + patienceMs; systemClock.now() < until; ) {
    stopped.throwIfAborted()
    const answer = await ask()
    if (answer !== undefined) return answer
    await systemClock.sleep(askEveryMs, stopped)
  }
  throw new CommandFailure(`the demo waited ${patienceMs / 1_000} s for ${what}`)
}

/** What a newsroom would write, with the terminal in the place of accounts. Addresses are of this machine. */
function configurationFor({ service, webhooks, store }: Record<'service' | 'webhooks' | 'store', string>) {
  return [
    "# The demo's own configuration. It is removed with the store when the demo ends.",
    `monitor: { baseUrl: ${service}, apiKey: sandbox-pro, tier: pro }`,
    `webhook: { publicUrl: ${webhooks} }`,
    'server: { host: 127.0.0.1, port: 0 }',
    'console: { listen: { port: 0 } }',
    `store: ${JSON.stringify(`file:${store}`)}`,
    'log: error',
    'operators: [newsroom]',
    'channels:',
    '  - { name: newsroom, type: console, as: slack }',
    '  - { name: politics-discord, type: console, as: discord, categories: [political] }',
    '  - { name: big-changes-mail, type: console, as: email, minDelta: 8 }',
    '',
  ].join('\n')
}

/** What this process answers, asked from outside. */
export async function get(url: string): Promise<string> {
  const bounds = { timeoutMs: 10_000, mostBytes: 1024 * 1024, mostValues: 100_000 }
  return (await exchange(url, {}, bounds)).body
}
