import { storeFolder } from '../app/app.ts'
import { loadConfig } from '../config/load.ts'
import { type Config, ConfigForAsking } from '../config/schema.ts'
import type { Control } from '../control/control.ts'
import { localControl } from '../control/local.ts'
import { connectControl } from '../control/socket.ts'
import { replay } from '../deliver/replay.ts'
import { openLowdbStore } from '../store/lowdb/open.ts'
import type { Terminal } from './terminal.ts'

export function configFile(options: { config?: string }): string {
  return options.config ?? process.env.BLUEPENCIL_CONFIG ?? 'config/bluepencil.yaml'
}

export function configOf(options: { config?: string }): Config {
  return loadConfig(configFile(options), process.env)
}

/** Also takes a file with nothing but `monitor:`. */
export function configForAsking(options: { config?: string }): Config {
  return loadConfig(configFile(options), process.env, ConfigForAsking)
}

/** Asks the running `serve`, or opens its store where none runs. */
export async function withControl<T>(
  config: Config,
  terminal: Terminal,
  use: (control: Control) => Promise<T>,
): Promise<T> {
  const control = (await connectControl(storeFolder(config))) ?? (await openControl(config, terminal))
  try {
    return await use(control)
  } finally {
    await control.close()
  }
}

async function openControl(config: Config, terminal: Terminal): Promise<Control> {
  const store = await openLowdbStore(storeFolder(config), {
    now: Date.now,
    onTrouble: (sentence) => terminal.note(`bluepencil: ${sentence}\n`),
  })
  return localControl({
    store,
    channels: () => config.channels.map(({ name }) => name),
    running: false,
    owe: (eventId, channel) => replay(store, eventId, channel, Date.now()),
    resting: () => [],
    close: () => store.close(),
  })
}
