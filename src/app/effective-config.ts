import { isDeepStrictEqual } from 'node:util'
import { filtersOf, isForTroubleAlone } from '../channels/settings.ts'
import type { Config } from '../config/schema.ts'
import type { ChangedFilters, FilterOverrides } from '../people/converse/filters.ts'
import type { Answering } from './answering.ts'
import { openRuntime } from './opened-config.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './shared-services.ts'

/**
 * The configuration of the file, with what people have changed of its channels. That stands over the file, also where the
 * file is changed, until somebody gives the file back; but not over a channel that is `fixed`, or for trouble alone. Pure.
 */
export function inForce(file: Config, filters: Pick<FilterOverrides, 'of'>): Config {
  return {
    ...file,
    channels: file.channels.map((channel) => {
      const changed = standingOver(channel, filters)
      return changed === undefined ? channel : { ...channel, ...none, ...changed.filters }
    }),
  }
}

function standingOver(
  channel: Config['channels'][number],
  filters: Pick<FilterOverrides, 'of'>,
): ChangedFilters | undefined {
  return channel.fixed === true || isForTroubleAlone(channel) ? undefined : filters.of(channel.name)
}

const none = {
  models: undefined,
  events: undefined,
  categories: undefined,
  minDelta: undefined,
  quiet: undefined,
  digest: undefined,
}

/** The configuration as the file has it, and what is in force of it. */
export interface EffectiveConfig {
  current(): Config
  /** The file was changed. Rejects where it cannot be used; the one before stays. */
  reload(next: Config): Promise<void>
  /**
   * People may have changed filters, here or by another process. What fails is reported, and nothing else: it is in force
   * with the next call.
   */
  filtersChanged(): Promise<void>
  /** Who changed the file may wait for something that does not come: the operators are alerted, once. */
  reportOverlaid(): Promise<void>
}

interface EffectiveConfigParts {
  reloadable: Pick<RunningApp, 'reload' | 'current'>
  answering: Pick<Answering, 'changed'>
}

export function fileInForce(
  first: Config,
  services: SharedServices,
  { reloadable, answering }: EffectiveConfigParts,
): EffectiveConfig {
  const { filters, incidents, log } = services
  let file = first

  /** What is to be in force is decided when its turn has come: two changes at once are both in it. */
  async function put(next: () => Config): Promise<void> {
    await reloadable.reload(async () => {
      const wanted = next()
      const runtime = await openRuntime(inForce(wanted, filters), services)
      file = wanted
      return runtime
    })
    answering.changed()
  }

  async function alertOverlaid(): Promise<void> {
    for (const channel of file.channels) {
      const changed = standingOver(channel, filters)
      const now = filtersOf(channel)
      if (changed === undefined || isDeepStrictEqual(now, changed.file)) continue
      const { name } = channel
      await incidents.once(`filters:${name}`, `${changed.at} ${JSON.stringify(now)}`, {
        title: `What the file says of ${name} is not in force`,
        text: `Its filters were changed in the file after ${changed.by.name} had changed them in the console (${changed.at}). Those of the console stay, until somebody gives the file back on the page of the channel.`,
      })
    }
  }

  const reportOverlaid = () =>
    alertOverlaid().catch((error: unknown) => log.error({ error }, 'while alerting the operators'))
  const resolves = () =>
    incidents.resolves('filters', 'The filters that were changed in the console are in force')

  return {
    current: () => file,
    async reload(next) {
      await put(() => next)
      resolves()
      await reportOverlaid()
    },
    reportOverlaid,
    async filtersChanged() {
      try {
        await filters.refresh()
        if (!isDeepStrictEqual(inForce(file, filters), reloadable.current().config)) {
          await put(() => file)
          log.info('filters that were changed in the console are in force')
        }
        resolves()
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
