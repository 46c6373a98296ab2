import { randomBytes } from 'node:crypto'
import { isNode, isSeq, parseDocument, stringify } from 'yaml'
import { configCommands } from '../app/config-commands.ts'
import { createConfigEditing } from '../app/config-editing.ts'
import { effectiveConfig, noFilters } from '../app/effective-config.ts'
import { recallBrowserConfig } from '../app/stored-browser-config.ts'
import { filtersOf } from '../channels/settings.ts'
import { BrowserConfig, keysOfFile } from '../config/browser-config.ts'
import { asWritten, type ConfigFile, composedValue, composeUsable, fileChannels } from '../config/compose.ts'
import { withVariables } from '../config/raw-secrets.ts'
import { hashOf } from '../console/access/password.ts'
import { connectControl } from '../people/control/connect.ts'
import { acceptInto } from '../people/converse/acts.ts'
import { recallFilters } from '../people/converse/filters.ts'
import { type ConfigChanged, type ConfigCommands, createSettings } from '../people/converse/settings.ts'
import { systemClock } from '../platform/clock.ts'
import { storePlace } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import type { ActOptions } from './acts.ts'
import { type CommandOptions, configFileOf, openFolder, settingsAt } from './configuration.ts'
import { doer } from './current-user.ts'
import { openDatabaseOf } from './database.ts'
import { CommandFailure } from './failure.ts'
import { writeNewFile } from './new-file.ts'
import type { Terminal } from './terminal.ts'

/** What is in force, as a file that `serve --config` accepts once the variables are set. No secret is printed. */
export async function showConfig(options: CommandOptions, { out, note }: Terminal): Promise<void> {
  const file = configFileOf(options)
  const settings = await settingsAt(storePlace(file.base.store))
  const { lost, newer } = settings.browser
  const { config, usable, problems } = composeUsable(file, settings.browser)
  for (const why of [lost, newer, ...problems.map(({ key, message }) => `${key}: ${message}`)])
    if (why !== undefined) note(`Not in use, so not printed: ${why}\n`)
  const filters = await recallFilters({ read: async () => settings.filters, change: async () => 'unchanged' })
  const inForce = new Map(effectiveConfig(config, filters).channels.map((channel) => [channel.name, channel]))
  const ofFile = fileChannels(file.written).map((channel) => {
    const changed = inForce.get(channel.name)
    if (changed === undefined || filters.of(channel.name) === undefined) return channel
    const rest = Object.entries(channel).filter(([key]) => !Object.hasOwn(noFilters, key))
    return { ...Object.fromEntries(rest), ...filtersOf(changed) }
  })
  const written = Object(composedValue(file.written, BrowserConfig.parse(asWritten(usable))))
  const ofBrowser = fileChannels(written).slice(ofFile.length)
  const variables = new Set<string>()
  const whole = { ...written, channels: [...ofFile, ...ofBrowser] }
  const document = parseDocument(stringify(withVariables(whole, '', variables), { lineWidth: 0 }))
  const channels = document.get('channels')
  if (isSeq(channels)) {
    for (const item of channels.items.slice(ofFile.length))
      if (isNode(item)) item.commentBefore = ' Made in the browser:'
  }
  out(document.toString({ lineWidth: 0 }))
  for (const name of variables) out(`# Set ${name}.\n`)
}

/** What was made in the browser, with its secrets, as `import` reads it. */
export async function exportConfig(
  target: string,
  options: CommandOptions,
  { note }: Terminal,
): Promise<void> {
  const file = configFileOf(options)
  const { made, lost } = (await settingsAt(storePlace(file.base.store))).browser
  if (lost !== undefined) throw new CommandFailure(lost)
  const value = composedValue({ console: {} }, BrowserConfig.parse(asWritten(made)))
  if (Object.keys(made).length === 0) throw new CommandFailure('nothing was made in the browser')
  await writeNewFile(target, stringify(value, { lineWidth: 0 }), 'name another', 0o600)
  note(`${target} has what was made in the browser, secrets included. Keep it where only you can read it.\n`)
}

/** Adds what a file has to what was made in the browser. */
export async function importConfig(source: string, options: ActOptions, terminal: Terminal): Promise<void> {
  const { value } = configFileOf({ config: source })
  await change(options, terminal, (config) => config.add(doer(options), value))
  terminal.out(`The contents of ${source} are in use, as if you had made them in the browser.\n`)
  const left = keysOfFile(value)
  if (left.length > 0)
    terminal.note(`Left out, because only a configuration file can set it: ${left.join(', ')}.\n`)
}

/** Removes all that was made in the browser; the file alone counts then. */
export async function clearConfig(options: ActOptions, terminal: Terminal): Promise<void> {
  await change(options, terminal, (config) => config.clear(doer(options)))
  terminal.out('What was made in the browser is removed. Only the configuration file is used.\n')
}

/** For somebody who can sign in no more. Standard output has the password alone. */
export async function resetUser(typed: string, options: ActOptions, terminal: Terminal): Promise<void> {
  const name = typed.trim()
  const password = randomBytes(15).toString('base64url')
  const hash = await hashOf(password)
  await change(options, terminal, (config) => config.setPassword(doer(options), name, hash))
  terminal.note(`${name} signs in with this password from now on. It is shown only once:\n`)
  terminal.out(`${password}\n`)
}

/** By the running service, or on its store if none runs. Throws `CommandFailure` if nothing was changed. */
async function change(
  options: ActOptions,
  terminal: Terminal,
  how: (commands: ConfigCommands) => Promise<ConfigChanged>,
): Promise<void> {
  const file = configFileOf(options)
  const place = storePlace(file.base.store)
  const running = place.is === 'folder' ? await connectControl(place.folder) : undefined
  if (running !== undefined) return report(await how(running.config))
  const store =
    place.is === 'folder' ? await openFolder(place.folder, terminal) : (await openDatabaseOf(place)).store
  try {
    report(await how(await commandsOn(store, file)))
  } finally {
    await store.close()
  }
}

async function commandsOn(store: Store, file: ConfigFile): Promise<ConfigCommands> {
  const settings = createSettings({ store, accept: acceptInto(store) })
  const browser = await recallBrowserConfig(settings)
  const effective = {
    file: () => file,
    composed: () => browser.compose(file),
    settingsChanged: async () => {},
  }
  const services = { browser, settings, clock: systemClock }
  return configCommands(services, createConfigEditing(services, effective))
}

function report(changed: ConfigChanged): void {
  if (changed.result === 'refused') throw new CommandFailure(changed.why)
  if (changed.result === 'outrun')
    throw new CommandFailure(
      'somebody else made a change at the same time, so nothing was changed. Try again',
    )
  if (changed.result !== 'invalid') return
  const lines = changed.problems.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  )
  throw new CommandFailure(`nothing was changed:\n${lines.join('\n')}`, 2)
}
