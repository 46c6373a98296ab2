import type { Config } from '../config/schema.ts'
import { wanted } from '../config/wanted.ts'
import type { Act } from '../event/act.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'
import { fetchHistory } from '../intake/poll/fetch.ts'
import type { HistoryPoint } from '../service/client/endpoints/history.ts'
import { receivedSince } from '../store/newest-first.ts'
import { storePlace } from '../store/place.ts'
import { holdsStore } from '../store/sqlite/place.ts'
import { historyOf } from '../trial/backtest.ts'
import type { Histories } from '../trial/past-service.ts'
import { foundIn } from '../trial/published.ts'
import { withControl } from './configuration.ts'
import { inspect } from './database.ts'
import { CommandFailure } from './failure.ts'
import { peopleClient } from './people-client.ts'
import type { Terminal } from './terminal.ts'

/** A time, in milliseconds since the epoch. */
interface BacktestPeriod {
  from: number
  to: number
}

/** What is stored of that time, as it came in, oldest first. */
export function storedHistory(
  config: Config,
  { from }: BacktestPeriod,
  terminal: Terminal,
): Promise<(AlertEvent | Act)[]> {
  return withControl(config, terminal, async ({ events }) => {
    const rows = await receivedSince({ list: events }, ['alert', 'act'], from)
    return historyOf(rows.map(({ entry }) => entry))
  })
}

/**
 * The same, with what polling would have found in the published history in place of what it found; also where nothing was
 * ever stored. Asks the service for the history of each model that a channel wants. Rejects with `CommandFailure` where one does
 * not come.
 */
export async function publishedHistory(
  configs: readonly [Config, ...Config[]],
  span: BacktestPeriod,
  terminal: Terminal,
): Promise<(AlertEvent | Act)[]> {
  const [config] = configs
  const { monitor } = config
  if (monitor === undefined)
    throw new CommandFailure('--published needs monitor.baseUrl and a key in the configuration', 2)
  const stored = (await isThere(config)) ? await storedHistory(config, span, terminal) : []
  const models = [...new Set(configs.flatMap((one) => wanted(one).models))]
  const histories = await readHistories(peopleClient(config, monitor), models)
  const found = await foundIn(histories, { ...span, rates: monitor.rates })
  const others = stored.filter((entry) => entry.kind === 'act' || !isFinding(entry))
  return [...others, ...found].toSorted(
    (one, other) => Date.parse(one.receivedAt) - Date.parse(other.receivedAt),
  )
}

async function isThere(config: Config): Promise<boolean> {
  const place = storePlace(config.store)
  return place.is === 'folder' ? holdsStore(place.folder) : (await inspect(place)).hasTables
}

/** As far back as the service has it; a year teaches the finder what is usual. */
async function readHistories(
  client: Parameters<typeof fetchHistory>[0],
  models: readonly string[],
): Promise<Histories> {
  const { signal } = new AbortController()
  const histories = new Map<string, HistoryPoint[]>()
  for (const model of models) {
    const points = await fetchHistory(client, model, '1y', signal)
    if (points === undefined)
      throw new CommandFailure(`the history of ${model} could not be read; bluepencil check says why`)
    histories.set(model, points)
  }
  return histories
}
