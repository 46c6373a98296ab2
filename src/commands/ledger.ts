import { sameChangeMs } from '../decide/accept/correlate.ts'
import {
  type Account,
  accountFor,
  type LedgerTally,
  methods,
  pollingKnown,
} from '../record/ledger/account.ts'
import { receivedSince } from '../store/newest-first.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import { csv, write } from './monitor/output.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

interface LedgerOptions extends CommandOptions {
  csv?: boolean
  /** Days in UTC, both included; by default the last thirty. */
  from?: string
  to?: string
}

const usualDays = 30

/** How many changes came by webhook, by polling and by both; for a methods section. */
export async function ledger(options: LedgerOptions, terminal: Terminal): Promise<void> {
  const now = Date.now()
  const to = options.to === undefined ? Temporal.Now.plainDateISO('UTC') : dayOf(options.to)
  const from = options.from === undefined ? to.subtract({ days: usualDays - 1 }) : dayOf(options.from)
  if (Temporal.PlainDate.compare(from, to) > 0) throw new CommandFailure(`${from} is after ${to}`, 2)
  const account = await withControl(configOf(options), terminal, async (control) => {
    const store = { list: control.events }
    const rows = await receivedSince(store, ['alert', 'notice'], Date.parse(from.toString()))
    const { polling } = await control.status()
    return accountFor({
      entries: rows.map(({ entry }) => entry),
      from: from.toString(),
      to: to.toString(),
      now,
      windowMs: sameChangeMs,
      polling: pollingKnown(polling),
    })
  })
  const text = methods(account, sameChangeMs)
  write(options, terminal, {
    json: () => ({ ...account, text }),
    csv: () =>
      csv(
        ['day', ...keys],
        account.days.map((row) => [row.day, ...keys.map((key) => row[key])]),
      ),
    text: () => `${table(rowsOf(account))}\n${text}\n`,
  })
}

const keys = [
  'webhookOnly',
  'pollingOnly',
  'both',
  'webhookFirst',
  'webhookLeadMinutes',
  'pollingFirst',
  'pollingLeadMinutes',
  'shown',
  'neverShown',
  'tooRecent',
  'notCompared',
] as const satisfies readonly (keyof LedgerTally)[]

/** What fits a terminal of 80 columns; the paragraph says the rest. Days on which nothing came are left out. */
function rowsOf({ days, total }: Account): string[][] {
  const head = ['day (UTC)', 'webhook only', 'polling only', 'both', 'never shown', 'too recent']
  const row = (name: string, { webhookOnly, pollingOnly, both, neverShown, tooRecent }: LedgerTally) => [
    name,
    ...[webhookOnly, pollingOnly, both, neverShown, tooRecent].map(String),
  ]
  const busy = days.filter(({ webhookOnly, pollingOnly, both }) => webhookOnly + pollingOnly + both > 0)
  return [head, ...busy.map((day) => row(day.day, day)), row('total', total)]
}

function dayOf(written: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(written)) return Temporal.PlainDate.from(written, { overflow: 'reject' })
  } catch {
    // Said below.
  }
  throw new CommandFailure(`${written} is not a day; write one as 2026-11-21`, 2)
}
