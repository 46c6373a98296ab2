import type { Config } from '../config/schema.ts'
import { sameChangeMs } from '../decide/accept/correlate.ts'
import type { Control } from '../people/control/control.ts'
import { dayMs } from '../platform/durations.ts'
import { countRevisions } from '../record/export/figures.ts'
import { type Account, accountFor, type LedgerTally, pollingKnown } from '../record/ledger/account.ts'
import { accountInWords } from '../record/ledger/account-in-words.ts'
import { receivedSince } from '../store/pages.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import { csv, write } from './monitor/output.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** Days in UTC, both included; by default the last thirty. */
export interface AccountedDays {
  from?: string
  to?: string
}

interface LedgerOptions extends CommandOptions, AccountedDays {
  csv?: boolean
}

const usualDays = 30

/** How many changes came by webhook, by polling and by both; for a methods section. */
export async function ledger(options: LedgerOptions, terminal: Terminal): Promise<void> {
  const days = spanOfDays(options)
  const config = await configOf(options)
  const account = await withControl(config, terminal, (control) => accountOf(days, control))
  const text = accountText(account, config)
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

export function accountText(account: Account, config: Config): string {
  return accountInWords(account, { windowMs: sameChangeMs, hasWebhook: hasWebhook(config) })
}

/** Whether the service can deliver here. */
export function hasWebhook({ webhook }: Config): boolean {
  return webhook.secrets.length > 0 || webhook.publicUrl !== undefined
}

/** Throws `CommandFailure` if these are no days. */
export function spanOfDays(days: AccountedDays): { from: Temporal.PlainDate; to: Temporal.PlainDate } {
  const to = days.to === undefined ? Temporal.Now.plainDateISO('UTC') : dayOf(days.to)
  const from = days.from === undefined ? to.subtract({ days: usualDays - 1 }) : dayOf(days.from)
  if (Temporal.PlainDate.compare(from, to) > 0) throw new CommandFailure(`${from} is after ${to}`, 2)
  return { from, to }
}

export async function accountOf(
  { from, to }: ReturnType<typeof spanOfDays>,
  control: Control,
): Promise<Account> {
  const first = Date.parse(from.toString())
  const rows = await receivedSince({ list: control.events }, ['alert', 'notice'], first)
  const { polling } = await control.status()
  return accountFor({
    entries: rows.map(({ entry }) => entry),
    from: from.toString(),
    to: to.toString(),
    now: Date.now(),
    windowMs: sameChangeMs,
    polling: pollingKnown(polling),
    revisions: await countRevisions(control.figures, { from: first, to: Date.parse(to.toString()) + dayMs }),
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

/** Throws `CommandFailure`. */
export function dayOf(written: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(written)) return Temporal.PlainDate.from(written, { overflow: 'reject' })
  } catch {
    // Said below.
  }
  throw new CommandFailure(`${written} is not a day; write one as 2026-11-21`, 2)
}
