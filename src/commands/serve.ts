import { unwatchFile, watchFile } from 'node:fs'
import { type App, startApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/load.ts'
import { configFile, configOf } from './configuration.ts'
import { processTerminal } from './terminal.ts'

/** Looked at this often. Looking works where the file is mounted, linked or replaced, and events do not. */
const lookEveryMs = 1_000

/** Runs until SIGTERM or SIGINT. Log lines go to standard error, what console channels show to standard output. */
export async function serve(options: { config?: string }): Promise<void> {
  const file = configFile(options)
  const config = configOf(options)
  const stopped = stopSignal()
  const { width, colour } = processTerminal()
  const app = await startApp(config, {
    clock: systemClock,
    writeLog: (line) => void process.stderr.write(line),
    out: { write: (text) => void process.stdout.write(text), width, colour },
  })
  const stopReloading = reloadOnChange(file, app)
  await stopped
  stopReloading()
  await app.stop()
}

/** The file was changed, or somebody sent SIGHUP. A configuration that cannot be used changes nothing. */
function reloadOnChange(file: string, app: App): () => void {
  let turn: Promise<unknown> = Promise.resolve()

  async function reload(): Promise<void> {
    try {
      await app.reload(loadConfig(file, process.env))
    } catch (error) {
      app.reloadFailed(error instanceof Error ? error : new Error(String(error)))
    }
  }

  const next = () => {
    turn = turn.then(reload)
  }
  watchFile(file, { interval: lookEveryMs }, next)
  process.on('SIGHUP', next)
  return () => {
    unwatchFile(file, next)
    process.off('SIGHUP', next)
  }
}

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Ask before anything is
 * started, so that what has begun to start is also stopped.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.removeAllListeners(signal)
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
}
