import { isDeepStrictEqual } from 'node:util'
import { filtersOf, isForTroubleAlone } from '../channels/settings.ts'
import type { ConfigFile } from '../config/compose.ts'
import type { Config } from '../config/schema.ts'
import type { FilterOverrides } from '../people/converse/filters.ts'
import { openConfig } from './opened-config.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './services.ts'

/**
 * The effective configuration: the file, with the filters that people have changed. These override the file, also when the file
 * changes, until somebody restores the file's. They don't override a channel that is `fixed` or for trouble alone. Pure.
 */
export function effectiveConfig(file: Config, filters: Pick<FilterOverrides, 'of'>): Config {
  return {
    ...file,
    channels: file.channels.map((channel) => {
      const changed = overrideOf(channel, file, filters)
      return changed === undefined ? channel : { ...channel, ...noFilters, ...changed.filters }
    }),
  }
}

function overrideOf(
  channel: Config['channels'][number],
  { console }: Pick<Config, 'console'>,
  filters: Pick<FilterOverrides, 'of'>,
) {
  const isAsConfigured = channel.fixed === true || console?.edit === false || isForTroubleAlone(channel)
  return isAsConfigured ? undefined : filters.of(channel.name)
}

export const noFilters = {
  models: undefined,
  events: undefined,
  categories: undefined,
  minDelta: undefined,
  quiet: undefined,
  digest: undefined,
}

export type EffectiveConfig = ReturnType<typeof createEffectiveConfig>

interface EffectiveParts {
  /** What is in force at the start, before filters are changed. */
  composed: Config
  running: Pick<RunningApp, 'reload' | 'current'>
  /** Another configuration is in force. */
  onChanged(): void
}

/** The configuration file with what was made in the browser, and what is in force of both. */
export function createEffectiveConfig(
  first: ConfigFile,
  services: SharedServices,
  { composed: atStart, running, onChanged }: EffectiveParts,
) {
  const { filters, browser, incidents, log } = services
  let file = first
  let composed = atStart
  let reported: string | null | undefined

  /** Calls `next` when its turn comes, so that it sees the change before it. */
  async function put(next: () => { file: ConfigFile; composed: Config }): Promise<void> {
    await running.reload(async () => {
      const nextConfig = next()
      const opened = await openConfig(effectiveConfig(nextConfig.composed, filters), services)
      file = nextConfig.file
      composed = nextConfig.composed
      return opened
    })
    onChanged()
  }

  /** Once each: another process may have another file, and other trouble. */
  function reportTrouble(): void {
    const text = browser.trouble() ?? null
    if (text === reported) return
    reported = text
    const title = 'Some settings made in the console cannot be used or changed'
    if (text === null) incidents.resolves('settings', 'The settings made in the console are in use again')
    else incidents.opens('settings', { title, text })
  }

  async function alertOverridden(): Promise<void> {
    for (const channel of composed.channels) {
      const changed = overrideOf(channel, composed, filters)
      const inFile = filtersOf(channel)
      if (changed === undefined || isDeepStrictEqual(inFile, changed.file)) continue
      const { name } = channel
      await incidents.once(`filters:${name}`, `${changed.at} ${JSON.stringify(inFile)}`, {
        title: `The file’s filters for ${name} are not used`,
        text: `${changed.by.name} changed these filters in the console (${changed.at}), and the file was changed after that. The filters from the console stay until you go back to those of the file, on the channel’s page.`,
      })
    }
  }

  const reportOverridden = () =>
    alertOverridden().catch((error: unknown) => log.error({ error }, 'while alerting the operators'))
  const resolve = () => incidents.resolves('filters', 'The changes made in the console are in use')

  return {
    file: () => file,
    /** The file with what was made in the browser, before filters are changed. */
    composed: () => composed,
    /** The file was changed. Rejects if it cannot be used; the one before stays. */
    async reload(next: ConfigFile): Promise<void> {
      await put(() => {
        browser.refuseNewProblems(next)
        return { file: next, composed: browser.compose(next) }
      })
      resolve()
      reportTrouble()
      await reportOverridden()
    },
    /** Alerts operators, once, to changes of the file that have no effect because of changed filters. */
    reportOverridden,
    /** Alerts operators if what was made in the console is not in force as a whole. */
    reportTrouble,
    /** People may have changed something, here or by another process. What fails is reported, and tried again with the next call. */
    async settingsChanged(): Promise<void> {
      try {
        await Promise.all([filters.refresh(), browser.refresh()])
        const next = effectiveConfig(browser.compose(file), filters)
        if (!isDeepStrictEqual(next, running.current().config)) {
          await put(() => ({ file, composed: browser.compose(file) }))
          log.info('the changes made in the console are in use')
        }
        resolve()
        reportTrouble()
      } catch (error) {
        log.error({ error }, 'the changes made in the console could not be applied')
        const text = error instanceof Error ? error.message : String(error)
        incidents.opens('filters', { title: 'The changes made in the console are not in use', text })
      }
    },
  }
}
