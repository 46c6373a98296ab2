import { type ChannelFilters, filtersOf } from '../channels/settings.ts'
import type { Config } from '../config/schema.ts'
import type { ConsoleParts } from '../console/parts.ts'
import type { Entry } from '../event/event.ts'
import { createFiltering } from '../people/converse/filters.ts'
import { longestSilenceMs } from '../people/converse/silences.ts'
import { within } from '../platform/clock.ts'
import { dayMs } from '../platform/durations.ts'
import { newestFirst, receivedSince } from '../store/newest-first.ts'
import type { Store, StoredEntry } from '../store/store.ts'
import { type EffectiveConfig, inForce } from './effective-config.ts'
import type { AppEnvironment, SharedServices } from './shared-services.ts'

/** A message that is on its way may take longer to end; what comes in meanwhile goes by the new filters all the same. */
const appliedMs = 3_000
const triedMs = 90 * dayMs
/** A desk gets some hundred in ninety days. */
const mostTried = 5_000

interface ConsoleFilteringParts {
  environment: Pick<AppEnvironment, 'tryFilters'>
  file: Pick<EffectiveConfig, 'current' | 'filtersChanged'>
}

/** What the console needs to change what a channel gets. */
export function filteringOf(
  { store, filters, clock }: Pick<SharedServices, 'store' | 'filters' | 'clock'>,
  { environment, file }: ConsoleFilteringParts,
): Pick<ConsoleParts, 'filtering' | 'filtersAt' | 'tryFilters'> {
  function filtersAt(name: string) {
    const channel = file.current().channels.find((one) => one.name === name)
    if (channel === undefined) return undefined
    const isFixed = channel.fixed === true
    return { file: filtersOf(channel), isFixed, changed: filters.of(name), lastAt: filters.lastAt(name) }
  }

  return {
    filtersAt,
    filtering: createFiltering({
      filters,
      now: clock.now,
      apply: () => within(clock, appliedMs, file.filtersChanged()),
    }),
    async tryFilters(name, becomes) {
      if (environment.tryFilters === undefined) return undefined
      const to = clock.now()
      const { entries, from } = await lately(store, to)
      const alone = (changed: ChannelFilters | undefined) => oneChannel(file.current(), name, changed)
      const now = filters.of(name)?.filters
      return environment.tryFilters({ asItIs: alone(now), changed: alone(becomes), entries, from, to })
    },
  }
}

/** The file's configuration with this channel alone, by these filters or by the file's. */
function oneChannel(file: Config, name: string, by: ChannelFilters | undefined): Config {
  const channels = file.channels.filter((channel) => channel.name === name)
  const changed = by && { filters: by, file: by, by: { name: '', via: 'console' as const }, at: '' }
  return inForce({ ...file, channels, operators: [] }, { of: () => changed })
}

/** The alerts and acts that came in, newest first; also from before what is counted, since a silence may last from then. */
async function lately(store: Pick<Store, 'list'>, to: number): Promise<{ entries: Entry[]; from: number }> {
  const since = new Date(to - triedMs - longestSilenceMs).toISOString()
  const alerts: StoredEntry[] = []
  for await (const rows of newestFirst(store, { kind: 'alert', from: since, withoutOutcomes: true })) {
    alerts.push(...rows)
    if (alerts.length >= mostTried) break
  }
  const oldest = Date.parse(alerts[mostTried - 1]?.entry.receivedAt ?? since)
  const from = Math.max(to - triedMs, oldest)
  const acts = await receivedSince(store, ['act'], from - longestSilenceMs)
  const rows = [...alerts, ...acts].toSorted((one, other) => other.seq - one.seq)
  return { entries: rows.map(({ entry }) => entry), from }
}
