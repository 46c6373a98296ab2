import { isDeepStrictEqual } from 'node:util'
import { filtersOf } from '../channels/settings.ts'
import type { Config } from '../config/schema.ts'
import type { Filters } from '../converse/filters.ts'
import type { Answering } from './answering.ts'
import type { Reloadable } from './reload.ts'
import { openRuntime } from './runtime.ts'
import type { SharedServices } from './shared-services.ts'

/**
 * The configuration of the file, with what people have changed of its channels. That stands over the file, also where the
 * file is changed, until somebody gives the file back; but not over a channel that is `fixed`. Pure.
 */
export function inForce(file: Config, filters: Pick<Filters, 'of'>): Config {
  return {
    ...file,
    channels: file.channels.map((channel) => {
      const changed = channel.fixed === true ? undefined : filters.of(channel.name)
      return changed === undefined ? channel : { ...channel, ...none, ...changed.filters }
    }),
  }
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
export interface FileInForce {
  current(): Config
  /** The file was changed. Rejects where it cannot be used; the one before stays. */
  reload(next: Config): Promise<void>
  /** People changed filters, here or by another process. What fails is reported, and in force with the next change. */
  filtersChanged(): Promise<void>
}

interface FileParts {
  reloadable: Pick<Reloadable, 'reload' | 'current'>
  answering: Pick<Answering, 'changed'>
}

export function fileInForce(
  first: Config,
  services: SharedServices,
  { reloadable, answering }: FileParts,
): FileInForce {
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

  /** Who changed the file may wait for something that does not come. */
  async function reportOverlaid(): Promise<void> {
    for (const channel of file.channels) {
      const changed = channel.fixed === true ? undefined : filters.of(channel.name)
      const now = filtersOf(channel)
      if (changed === undefined || isDeepStrictEqual(now, changed.file)) continue
      const { name } = channel
      await incidents.once(`filters:${name}`, `${changed.at} ${JSON.stringify(now)}`, {
        title: `What the file says of ${name} is not in force`,
        text: `Its filters were changed in the file after ${changed.by.name} had changed them in the console (${changed.at}). Those of the console stay, until somebody gives the file back on the page of the channel.`,
      })
    }
  }

  return {
    current: () => file,
    async reload(next) {
      await put(() => next)
      await reportOverlaid().catch((error: unknown) => log.error({ error }, 'while alerting the operators'))
    },
    async filtersChanged() {
      try {
        await filters.refresh()
        if (isDeepStrictEqual(inForce(file, filters), reloadable.current().config)) return
        await put(() => file)
        incidents.resolves('filters', 'The filters that were changed in the console are in force.')
        log.info('filters that were changed in the console are in force')
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
