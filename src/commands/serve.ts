import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { type App, startApp } from '../app/app.ts'
import { realEnvironment } from '../app/environment.ts'
import { Stopping } from '../app/running-app.ts'
import { type ConfigFile, composeUsable } from '../config/compose.ts'
import { ConfigError } from '../config/error.ts'
import { storePlace } from '../store/place.ts'
import { configFile, configFileOf, settingsAt } from './configuration.ts'
import { filterTrials, tryAnswers } from './console-trials.ts'
import { consult } from './consult.ts'
import { environmentFiles } from './environment-file.ts'
import { CommandFailure } from './failure.ts'
import { collectStartGarbage } from './start-garbage.ts'
import { stopSignal } from './stop-signal.ts'
import { processTerminal } from './terminal.ts'

/** Looked at this often. Looking works if the file is mounted, linked or replaced, and events do not. */
const lookEveryMs = 1_000

/**
 * Runs until SIGTERM or SIGINT, or until an incompatible newer Bluepencil uses its store. Log lines go to standard error, messages of
 * console channels to standard output. If the configuration cannot be used, it ends. With `wait` it waits for another one: a
 * supervisor would only restart it again and again.
 */
export async function serve(options: { config?: string; wait: boolean }): Promise<void> {
  const first = options.wait ? undefined : await usableFile(options)
  const stopped = stopSignal()
  const changes = watchFiles([configFile(options), ...environmentFiles(configFile(options))])
  // If nobody reads the output any more, alerts still go out.
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => undefined)
  }
  const { width, colour } = processTerminal()
  const stopping = new AbortController()
  const ended = stopped.then(() => stopping.abort())
  const file = first ?? (await waitForFile(options, changes, stopping.signal))
  if (file === undefined) return changes.stop()
  const environment = {
    ...realEnvironment,
    writeLog: byTurn((text) => void process.stderr.write(text)),
    out: { write: (text: string) => void process.stdout.write(text), width, colour },
    consult,
    tryFilters: filterTrials(),
    tryAnswers,
  }
  const app = await startApp(file, environment, stopping.signal).catch((error: unknown) => {
    if (error instanceof Stopping) return undefined
    throw error
  })
  if (app === undefined) return changes.stop()
  void reloadAtChanges(options, { app, file, changes, stopping: stopping.signal })
  collectStartGarbage()
  const why = await Promise.race([ended, app.mustEnd])
  changes.stop()
  await app.stop()
  if (typeof why === 'string') throw new CommandFailure(why)
}

/**
 * Throws `ConfigError` before anything is made if it cannot be used with what was made in the browser. If that cannot be read, the store
 * is opened first: the file may name what is missing.
 */
async function usableFile(options: { config?: string }): Promise<ConfigFile> {
  const file = configFileOf(options)
  const { browser } = await settingsAt(storePlace(file.base.store))
  if (browser.lost === undefined) composeUsable(file, browser)
  return file
}

/** Says what is wrong, and waits until the files say otherwise. Undefined if it is stopped meanwhile. */
async function waitForFile(
  options: { config?: string },
  changes: ReturnType<typeof watchFiles>,
  stopping: AbortSignal,
): Promise<ConfigFile | undefined> {
  const aborted = new Promise<void>((resolve) => {
    stopping.addEventListener('abort', () => resolve(), { once: true })
  })
  while (!stopping.aborted) {
    try {
      return await usableFile(options)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      process.stderr.write(`${error.message}\nBluepencil reads it again when it changes.\n`)
    }
    await Promise.race([changes.next(), aborted])
  }
  return undefined
}

/** One after the other. */
async function reloadAtChanges(
  options: { config?: string },
  { app, file, changes, stopping }: Reloading,
): Promise<void> {
  let { path } = file
  for (;;) {
    await changes.next()
    if (stopping.aborted) return
    path = await reload({ ...options, ...(path !== undefined && { config: path }) }, app)
  }
}

interface Reloading {
  app: App
  /** As at the start. */
  file: ConfigFile
  changes: ReturnType<typeof watchFiles>
  stopping: AbortSignal
}

/**
 * A configuration that cannot be used changes nothing. Returns the path of the file: once there was one, it has to be there, since an
 * editor may just be replacing it.
 */
async function reload(options: { config?: string }, app: App): Promise<string | undefined> {
  try {
    const file = configFileOf(options)
    await app.reload(file)
    return file.path
  } catch (error) {
    app.reloadFailed(error instanceof Error ? error : new Error(String(error)))
    return options.config
  }
}

/** Watches files, and SIGHUP. A change before anybody waits for one is kept, so the next wait ends at once. */
function watchFiles(files: readonly string[]) {
  let change = Promise.withResolvers<void>()
  const changed = () => change.resolve()

  /** Node calls back once at the start for a file that does not exist. That is no change. */
  function looked(now: Stats, before: Stats): void {
    if (now.nlink > 0 || before.nlink > 0) changed()
  }

  for (const file of files) watchFile(file, { interval: lookEveryMs }, looked)
  process.on('SIGHUP', changed)
  return {
    /** Resolves when something has changed since it did so before. */
    async next(): Promise<void> {
      await change.promise
      change = Promise.withResolvers()
    },
    /** SIGHUP keeps its handler. Without one it would end the process. */
    stop() {
      for (const file of files) unwatchFile(file, looked)
    },
  }
}

/**
 * Writes the lines of one turn of the event loop together: under load a write for each is a tenth of what a delivery
 * costs. What is left when the process ends is written then.
 */
export function byTurn(write: (text: string) => void): (line: string) => void {
  let lines: string[] = []

  function flush(): void {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    write(text)
  }

  process.once('exit', flush)
  return (line) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(line)
  }
}
