import { storeFolder } from '../app/app.ts'
import { loadConfig } from '../config/load.ts'
import { type Config, ConfigForAsking } from '../config/schema.ts'
import type { Control } from '../control/control.ts'
import { localControl } from '../control/local.ts'
import { connectControl } from '../control/socket.ts'
import { replay } from '../deliver/replay.ts'
import { openLowdbStore } from '../store/lowdb/open.ts'
import { holdsStore } from '../store/lowdb/place.ts'
import { Failure } from './failure.ts'
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

/** Who asks does not make what they ask: an empty store at another place than the service's would answer for it. */
async function openControl(config: Config, terminal: Terminal): Promise<Control> {
  const folder = storeFolder(config)
  if (!(await holdsStore(folder))) {
    throw new Failure(
      `there is no store in ${folder}: serve makes it where "store" of the configuration says, relative to the working directory`,
    )
  }
  const store = await openLowdbStore(folder, {
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
