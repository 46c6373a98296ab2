import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { type App, startApp } from '../app/app.ts'
import { realEnvironment } from '../app/environment.ts'
import { Stopping } from '../app/reload.ts'
import { configFile, configOf, environmentFile } from './configuration.ts'
import { byTurn } from './log-writer.ts'
import { collectStartGarbage } from './start-garbage.ts'
import { stopSignal } from './stop-signal.ts'
import { processTerminal } from './terminal.ts'

/** Looked at this often. Looking works where the file is mounted, linked or replaced, and events do not. */
const lookEveryMs = 1_000

/** Runs until SIGTERM or SIGINT. Log lines go to standard error, what console channels show to standard output. */
export async function serve(options: { config?: string }): Promise<void> {
  const config = configOf(options)
  const stopped = stopSignal()
  const changes = watchFiles([configFile(options), environmentFile])
  // Whoever read them has gone; the alerts have not.
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => undefined)
  }
  const { width, colour } = processTerminal()
  const stopping = new AbortController()
  const ended = stopped.then(() => stopping.abort())
  const environment = {
    ...realEnvironment,
    writeLog: byTurn((text) => void process.stderr.write(text)),
    out: { write: (text: string) => void process.stdout.write(text), width, colour },
  }
  const app = await startApp(config, environment, stopping.signal).catch((error: unknown) => {
    if (error instanceof Stopping) return undefined
    throw error
  })
  if (app === undefined) return changes.stop()
  changes.onChange(() => reload(options, app))
  collectStartGarbage()
  await ended
  changes.stop()
  await app.stop()
}

/** A configuration that cannot be used changes nothing. */
async function reload(options: { config?: string }, app: App): Promise<void> {
  try {
    await app.reload(configOf(options))
  } catch (error) {
    app.reloadFailed(error instanceof Error ? error : new Error(String(error)))
  }
}

/** A file was changed, or somebody sent SIGHUP; one after the other, and none is lost before there is an ear. */
function watchFiles(files: readonly string[]) {
  let turn: Promise<unknown> = Promise.resolve()
  let changed = false
  let listener: (() => Promise<void>) | undefined
  let stopped = false

  function next(): void {
    changed = true
    if (listener === undefined || stopped) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = turn
    turn = promise
    void before.then(listener).finally(resolve)
  }

  /** Of a file that is not there, Node says so once, at the beginning: nothing has changed. */
  function looked(now: Stats, before: Stats): void {
    if (now.nlink > 0 || before.nlink > 0) next()
  }

  for (const file of files) watchFile(file, { interval: lookEveryMs }, looked)
  process.on('SIGHUP', next)
  return {
    onChange(work: () => Promise<void>) {
      listener = work
      if (changed) next()
    },
    /** SIGHUP is still heard, or it would end the process. */
    stop() {
      stopped = true
      for (const file of files) unwatchFile(file, looked)
    },
  }
}
