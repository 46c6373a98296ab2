import type { Control } from '../../people/control/control.ts'
import type { Sandbox } from '../../service/sandbox/sandbox.ts'
import type { Terminal } from '../terminal.ts'
import type { DemoClock } from './clock.ts'
import type { DeliveryLine } from './line.ts'
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
