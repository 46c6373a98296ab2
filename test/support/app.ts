import { type App, startApp } from '../../src/app/app.ts'
import { type AppEnvironment, realEnvironment } from '../../src/app/environment.ts'
import { type ConfigFile, composeConfig } from '../../src/config/compose.ts'
import { Config } from '../../src/config/schema.ts'
import { secret } from './fakes/signed.ts'

/** A configuration in which `ops` gets notices of incidents only, and `channels` are those of readers. */
export function configOf(channels: object[], more: object = {}): Config {
  return Config.parse({
    webhook: { secrets: [secret] },
    store: 'file:of-nobody',
    copies: 0,
    server: { host: '127.0.0.1', port: 0 },
    operators: ['ops'],
    channels: [{ name: 'ops', type: 'console', minDelta: 100 }, ...channels],
    ...more,
  })
}

/** As if a file had been parsed to this. Nothing that is made in the browser comes to it. */
export function fileOf(config: Config): ConfigFile {
  return {
    path: undefined,
    value: config,
    written: config,
    base: config,
    placeOf: () => undefined,
    compose: () => config,
  }
}

/** A file as it is read, with these values; each stands in line 7. */
export function rawFile(value: object, path: string | undefined = 'b.yaml'): ConfigFile {
  const file = { path, value, written: value, placeOf: () => ({ line: 7, column: 1 }) }
  const base = { store: 'file:of-nobody', log: 'info' } as const
  return { ...file, base, compose: (made, of = value) => composeConfig({ ...file, value: of }, made) }
}

/** An application that is given its configuration parsed, or as a file. */
export interface AppOfTest extends Omit<App, 'reload'> {
  reload(config: Config | ConfigFile): Promise<string[]>
}

function isFile(config: Config | ConfigFile): config is ConfigFile {
  return 'compose' in config
}

/**
 * The whole application in this process, as `serve` composes it. What it takes from the machine is real where `given`
 * does not say otherwise; what its console channels show, and its log, are kept over starts.
 */
export function openApp(given: Partial<AppEnvironment> = {}) {
  const texts: string[] = []
  const log: string[] = []
  const environment: AppEnvironment = {
    ...realEnvironment,
    out: { write: (text) => void texts.push(text), width: 200, colour: false },
    ...given,
    writeLog(line) {
      log.push(line)
      given.writeLog?.(line)
    },
  }
  /** What a console channel showed, in order. */
  const shown = (channel: string) => texts.filter((text) => text.startsWith(`${channel}\n`))
  return {
    environment,
    log,
    texts,
    shown,
    /** Titles of what the operators were alerted to, in order. */
    alerts: () => shown('ops').map((text) => text.split('\n')[2] ?? ''),
    async start(config: Config | ConfigFile, stop?: AbortSignal): Promise<AppOfTest> {
      const app = await startApp(isFile(config) ? config : fileOf(config), environment, stop)
      return { ...app, reload: (next) => app.reload(isFile(next) ? next : fileOf(next)) }
    },
  }
}

/** A delivery as the interface specification documents it, detected at that time. */
export function delivery(id: string, detectedMs: number, changes: object = {}): string {
  const data = { category: 'political', delta: '+12pp', detected_at: new Date(detectedMs).toISOString() }
  const methodology = 'https://monitor.example/methodology'
  return JSON.stringify({ id, type: 'censorship_spike', model: 'claude', data, methodology, ...changes })
}
