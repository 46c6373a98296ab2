import { desiredAlerts } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import type { FilterTrial, TryFilters } from '../console/parts.ts'
import type { Act } from '../event/act.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'
import { fetchHistory } from '../intake/poll/fetch.ts'
import { dayMs } from '../platform/durations.ts'
import type { HistoryPoint } from '../service/client/endpoints/history.ts'
import { receivedSince } from '../store/pages.ts'
import { storePlace } from '../store/place.ts'
import { holdsStore } from '../store/sqlite/folder.ts'
import { type ChannelAccount, differenceOf, summaryOf, type TrialCase } from '../trial/account.ts'
import { backtest, before, historyOf } from '../trial/backtest.ts'
import { backtestInThread } from '../trial/in-thread.ts'
import type { Histories } from '../trial/published.ts'
import { foundIn } from '../trial/published.ts'
import { type BacktestReport, type ChannelBacktest, groupName, trialText } from './backtest-text.ts'
import { type CommandOptions, configFile, configOf, withControl } from './configuration.ts'
import { inspect } from './database.ts'
import { CommandFailure } from './failure.ts'
import { peopleClient } from './people-client.ts'
import type { Terminal } from './terminal.ts'

interface BacktestOptions extends CommandOptions {
  /** The file of another configuration, to compare with. */
  against?: string
  days: number
  /** Also what polling would have found in the service's history. */
  published?: boolean
}

/** What a configuration would have sent, dropped and held of what came in lately. Nothing is sent. */
export async function backtestCommand(options: BacktestOptions, terminal: Terminal): Promise<void> {
  const config = await configOf(options)
  const other = options.against === undefined ? undefined : await configOf({ config: options.against })
  const to = Date.now()
  const from = to - options.days * dayMs
  const wide = { from: from - before, to }
  const history = options.published
    ? await publishedHistory(other === undefined ? [config] : [config, other], wide, terminal)
    : await storedHistory(config, wide, terminal)
  const span = { history, from, to }
  const accounts = await backtest(config, span)
  const trial: BacktestReport = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    alerts: history.filter(({ kind, receivedAt }) => kind === 'alert' && Date.parse(receivedAt) >= from)
      .length,
    config: configFile(options),
    ...(options.against !== undefined && { against: options.against }),
    channels: compared(accounts, other && (await backtest(other, span))),
  }
  terminal.out(options.json ? `${JSON.stringify(trial, null, 2)}\n` : trialText(trial, terminal))
}

/** The channels of both, those of the new one first. */
function compared(
  accounts: readonly ChannelAccount[],
  against: readonly ChannelAccount[] | undefined,
): ChannelBacktest[] {
  const names = new Set([...accounts, ...(against ?? [])].map(({ channel }) => channel))
  return [...names].map((name) => {
    const isIt = ({ channel }: ChannelAccount) => channel === name
    const [now, then] = [accounts.find(isIt), against?.find(isIt)]
    return {
      channel: name,
      config: now === undefined ? null : summaryOf(now),
      ...(against !== undefined && {
        against: then === undefined ? null : summaryOf(then),
        ...differenceOf(now, then),
      }),
    }
  })
}

/** A time, in milliseconds since the epoch. */
interface BacktestPeriod {
  from: number
  to: number
}

/** What is stored of that time, as it came in, oldest first. */
function storedHistory(
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
 * The same, with the findings that polling would have made in the published history instead of the stored ones. It works
 * with an empty store too. Reads the history of each model that a channel wants. Rejects with `CommandFailure` if the
 * service does not send one.
 */
async function publishedHistory(
  configs: readonly [Config, ...Config[]],
  span: BacktestPeriod,
  terminal: Terminal,
): Promise<(AlertEvent | Act)[]> {
  const [config] = configs
  const { monitor } = config
  if (monitor === undefined)
    throw new CommandFailure('--published needs monitor.baseUrl and a key in the configuration', 2)
  const stored = (await isThere(config)) ? await storedHistory(config, span, terminal) : []
  const models = [...new Set(configs.flatMap((one) => desiredAlerts(one).models))]
  const histories = await readHistories(peopleClient(config, monitor), models)
  const findings = await foundIn(histories, { ...span, rates: monitor.rates })
  const others = stored.filter((entry) => entry.kind === 'act' || !isFinding(entry))
  return [...others, ...findings].toSorted(
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
      throw new CommandFailure(`the history of ${model} cannot be read; bluepencil check shows why`)
    histories.set(model, points)
  }
  return histories
}

/** What other filters of a channel would have meant: `backtest` of it, as it is and as it would be. */
export const tried: TryFilters = async ({ asItIs, changed, entries, from, to }) => {
  const history = historyOf(entries)
  const [[before] = [], [after] = []] = await backtestInThread({
    configs: [asItIs, changed],
    span: { history, from, to },
  })
  const { added, dropped } = differenceOf(after, before)
  return {
    from: new Date(from).toISOString(),
    alerts: history.filter(({ kind, receivedAt }) => kind === 'alert' && Date.parse(receivedAt) >= from)
      .length,
    messages: { asItIs: before?.messages ?? 0, changed: after?.messages ?? 0 },
    became: becameOf(before, after),
    added: added.map(alertOf),
    dropped: dropped.map(alertOf),
  }
}

function becameOf(
  before: ChannelAccount | undefined,
  after: ChannelAccount | undefined,
): FilterTrial['became'] {
  const amounts = (account: ChannelAccount | undefined) =>
    new Map(
      (account === undefined ? [] : summaryOf(account).groups).map((group) => [
        groupName(group),
        group.count,
      ]),
    )
  const [old, now] = [amounts(before), amounts(after)]
  return [...new Set([...now.keys(), ...old.keys()])].map((what) => ({
    what,
    asItIs: old.get(what) ?? 0,
    changed: now.get(what) ?? 0,
  }))
}

function alertOf({ id, receivedAt, headline }: TrialCase): FilterTrial['added'][number] {
  return { id, receivedAt, headline }
}
