import { type App, startApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import { configOf } from './configuration.ts'
import { processTerminal } from './terminal.ts'

/** Runs until SIGTERM or SIGINT. Log lines go to standard error, what console channels show to standard output. */
export async function serve(options: { config?: string }): Promise<void> {
  const config = configOf(options)
  const { width, colour } = processTerminal()
  const app = await startApp(config, {
    clock: systemClock,
    writeLog: (line) => void process.stderr.write(line),
    out: { write: (text) => void process.stdout.write(text), width, colour },
  })
  await untilStopped(app)
}

/** A second signal ends the process at once. */
export async function untilStopped(app: Pick<App, 'stop'>): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  process.once('SIGINT', () => process.exit(1))
  process.once('SIGTERM', () => process.exit(1))
  await app.stop()
}
