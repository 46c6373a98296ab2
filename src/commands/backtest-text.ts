import { painted, plain, signed } from '../platform/text.ts'
import type { CaseGroup, TrialCase, TrialDifference, TrialSummary } from '../trial/account.ts'
import { absent, countText, dayText, minuteText } from './monitor/numbers.ts'
import { table } from './table.ts'

/** What a trial came to, for people and machines. */
export interface BacktestReport {
  /** ISO 8601, UTC. */
  from: string
  to: string
  /** How many came in then. */
  alerts: number
  /** The files. */
  config: string
  against?: string
  channels: ChannelBacktest[]
}

/** Null if that configuration has no such channel. The rest is there if two were compared. */
export interface ChannelBacktest extends Partial<TrialDifference> {
  channel: string
  config: TrialSummary | null
  against?: TrialSummary | null
}

/** Of what was added or dropped. */
const examples = 5

export function trialText(trial: BacktestReport, { colour }: { colour: boolean }): string {
  const { from, to, alerts, config, against } = trial
  const files = against === undefined ? plain(config) : `${plain(config)}, and beside it by ${plain(against)}`
  const came = `${amountOf(alerts, 'alert')} came in from ${dayText(from)} to ${dayText(to)} (UTC).`
  const intro = `${came}\nWhat would have been sent by ${files}. Nothing is sent now.\n`
  return [intro, ...trial.channels.map((one) => channelText(one, trial, colour))].join('\n')
}

function channelText(one: ChannelBacktest, { config, against }: BacktestReport, colour: boolean): string {
  const head = painted('bold', one.channel, colour)
  const now = one.config === null ? `not in ${plain(config)}` : amount(one.config)
  const then =
    one.against === undefined
      ? ''
      : ` (${one.against === null ? 'not in' : `${amount(one.against)} by`} ${plain(against ?? '')})`
  const rows = [
    ...(one.config?.groups ?? []).flatMap(groupRows),
    ...differenceRows('added', one.added),
    ...differenceRows('dropped', one.dropped),
  ]
  return `${head}: ${now}${then}\n${rows.map((row) => `  ${row}\n`).join('')}`
}

function amount({ messages, edits }: TrialSummary): string {
  const sent = amountOf(messages, 'message')
  return edits === 0 ? sent : `${sent}, ${amountOf(edits, 'edit')}`
}

/** "1 message", "2,455 messages". */
function amountOf(count: number, one: string): string {
  return `${countText(count)} ${one}${count === 1 ? '' : 's'}`
}

const ends: Record<TrialCase['became'], string> = {
  sent: 'sent in a message of its own',
  digest: 'in a digest',
  merged: 'in the message about another alert',
  held: 'held at the end',
  waiting: 'waiting at the end',
  failed: 'failed',
  not_sent: 'not sent',
}

/** "not sent (minDelta)" */
export function groupName({ became, rule }: Pick<CaseGroup, 'became' | 'rule'>): string {
  return rule === undefined ? ends[became] : `${ends[became]} (${rule})`
}

function groupRows(group: CaseGroup): string[] {
  const end = groupName(group)
  // Everything in a digest was held, so only other groups say so.
  const held =
    group.held > 0 && group.became === 'sent' ? `, ${countText(group.held)} of them held first` : ''
  return [`${end}: ${countText(group.count)}${held}`, ...caseRows(group.examples)]
}

function differenceRows(what: string, cases: readonly TrialCase[] | undefined): string[] {
  if (cases === undefined) return []
  const more =
    cases.length > examples ? [`  … and ${countText(cases.length - examples)} more (--json has all)`] : []
  return [`${what}: ${countText(cases.length)}`, ...caseRows(cases.slice(0, examples), true), ...more]
}

function caseRows(cases: readonly TrialCase[], showsEnd = false): string[] {
  const rows = cases.map(({ receivedAt, delta, headline, became, rule }) => [
    minuteText(receivedAt),
    delta === null ? absent : signed(delta, Number.isInteger(delta) ? 0 : 1),
    ...(showsEnd ? [rule ?? became.replace('_', ' ')] : []),
    headline,
  ])
  return table(rows)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `  ${line}`)
}
