import type { FilterTrial, TryFilters } from '../console/filter-trial.ts'
import { type ChannelAccount, differenceOf, type TrialCase } from '../trial/account.ts'
import { historyOf } from '../trial/backtest.ts'
import { backtestInThread } from '../trial/in-thread.ts'
import { summaryOf } from '../trial/summary.ts'
import { groupName } from './backtest-text.ts'

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
