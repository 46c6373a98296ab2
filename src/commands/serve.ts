import { startApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import { configOf } from './configuration.ts'
import { processTerminal } from './terminal.ts'

/** Runs until SIGTERM or SIGINT. Log lines go to standard error, what console channels show to standard output. */
export async function serve(options: { config?: string }): Promise<void> {
  const config = configOf(options)
  const stopped = stopSignal()
  const { width, colour } = processTerminal()
  const app = await startApp(config, {
    clock: systemClock,
    writeLog: (line) => void process.stderr.write(line),
    out: { write: (text) => void process.stdout.write(text), width, colour },
  })
  await stopped
  await app.stop()
}

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Ask before anything is
 * started, so that what has begun to start is also stopped.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
}
