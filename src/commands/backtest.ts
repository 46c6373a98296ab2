import { dayMs } from '../platform/durations.ts'
import { type ChannelAccount, differenceOf } from '../trial/account.ts'
import { backtest, before } from '../trial/backtest.ts'
import { summaryOf } from '../trial/summary.ts'
import { publishedHistory, storedHistory } from './backtest-history.ts'
import { type BacktestReport, type ChannelBacktest, trialText } from './backtest-text.ts'
import { type CommandOptions, configFile, configOf } from './configuration.ts'
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
  const config = configOf(options)
  const other = options.against === undefined ? undefined : configOf({ config: options.against })
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
