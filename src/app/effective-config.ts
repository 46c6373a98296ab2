import { isDeepStrictEqual } from 'node:util'
import { filtersOf, isForTroubleAlone } from '../channels/settings.ts'
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
      const changed = overrideOf(channel, filters)
      return changed === undefined ? channel : { ...channel, ...noFilters, ...changed.filters }
    }),
  }
}

function overrideOf(channel: Config['channels'][number], filters: Pick<FilterOverrides, 'of'>) {
  return channel.fixed === true || isForTroubleAlone(channel) ? undefined : filters.of(channel.name)
}

const noFilters = {
  models: undefined,
  events: undefined,
  categories: undefined,
  minDelta: undefined,
  quiet: undefined,
  digest: undefined,
}

export type EffectiveConfig = ReturnType<typeof createEffectiveConfig>

/** The configuration file, and what is in force of it. `onChanged`: another configuration is in force. */
export function createEffectiveConfig(
  first: Config,
  services: SharedServices,
  { running, onChanged }: { running: Pick<RunningApp, 'reload' | 'current'>; onChanged(): void },
) {
  const { filters, incidents, log } = services
  let file = first

  /** `next` is called in its turn: of two changes at once, both are in force then. */
  async function put(next: () => Config): Promise<void> {
    await running.reload(async () => {
      const nextFile = next()
      const opened = await openConfig(effectiveConfig(nextFile, filters), services)
      file = nextFile
      return opened
    })
    onChanged()
  }

  async function alertOverridden(): Promise<void> {
    for (const channel of file.channels) {
      const changed = overrideOf(channel, filters)
      const inFile = filtersOf(channel)
      if (changed === undefined || isDeepStrictEqual(inFile, changed.file)) continue
      const { name } = channel
      await incidents.once(`filters:${name}`, `${changed.at} ${JSON.stringify(inFile)}`, {
        title: `What the file says of ${name} is not in force`,
        text: `Its filters were changed in the file after ${changed.by.name} had changed them in the console (${changed.at}). Those of the console stay, until somebody gives the file back on the page of the channel.`,
      })
    }
  }

  const reportOverridden = () =>
    alertOverridden().catch((error: unknown) => log.error({ error }, 'while alerting the operators'))
  const resolve = () =>
    incidents.resolves('filters', 'The filters that were changed in the console are in force')

  return {
    file: () => file,
    /** The file was changed. Rejects if it cannot be used; the one before stays. */
    async reload(next: Config): Promise<void> {
      await put(() => next)
      resolve()
      await reportOverridden()
    },
    /** Alerts operators, once, to changes of the file that have no effect because of changed filters. */
    reportOverridden,
    /** People may have changed filters, here or by another process. What fails is reported, and tried again with the next call. */
    async filtersChanged(): Promise<void> {
      try {
        await filters.refresh()
        if (!isDeepStrictEqual(effectiveConfig(file, filters), running.current().config)) {
          await put(() => file)
          log.info('filters that were changed in the console are in force')
        }
        resolve()
      } catch (error) {
        log.error({ error }, 'changed filters could not be put in force')
        const text = error instanceof Error ? error.message : String(error)
        incidents.opens('filters', {
          title: 'Filters that were changed in the console are not in force',
          text,
        })
      }
    },
  }
}
