import { dayMs } from '../../platform/durations.ts'
import { counted, span } from '../../platform/text.ts'
import type { Account, LedgerTally } from './account.ts'

/** A paragraph for a methods section. `windowMs` is that of the account. */
export function methods({ from, to, total, hoursWithout, polling }: Account, windowMs: number): string {
  const all = total.webhookOnly + total.pollingOnly + total.both
  const days = Math.round(windowMs / dayMs)
  return [
    `From ${from} to ${to} (UTC), ${counted(all, 'change')} reached Bluepencil: ${total.webhookOnly} by webhook only, ${total.pollingOnly} by polling only, and ${total.both} by both${leads(total)}.`,
    ...alone(total, days),
    `A report and a step in the published figures count as one change where they agree in model, category and direction, in size within the sampling error, and in time within ${days} days.`,
    ...(all > 0 && total.webhookOnly + total.both === 0 ? ['No webhook reported any of them.'] : []),
    `Webhooks were known not to arrive for ${hoursWithout.webhook} hours, and the published figures known not to be readable for ${hoursWithout.polling} hours.`,
    polling === null
      ? 'The published figures were not read.'
      : `The published figures have been read since ${polling.since}, last at ${polling.lastRead}.`,
  ].join(' ')
}

function leads({
  both,
  webhookFirst,
  webhookLeadMinutes,
  pollingFirst,
  pollingLeadMinutes,
}: LedgerTally): string {
  if (both === 0) return ''
  const ways = [
    ...(webhookLeadMinutes === null
      ? []
      : [`webhook first in ${webhookFirst}, by ${span(webhookLeadMinutes)}`]),
    ...(pollingLeadMinutes === null
      ? []
      : [`polling first in ${pollingFirst}, by ${span(pollingLeadMinutes)}`]),
  ]
  return ` (${ways.join('; ')} in the median)`
}

function alone(
  { webhookOnly, shown, neverShown, tooRecent, notCompared }: LedgerTally,
  days: number,
): string[] {
  if (webhookOnly === 0) return []
  const parts = [
    [shown, 'shown by the published figures when reported'],
    [neverShown, `not shown by the published figures within ${days} days`],
    [tooRecent, 'too recent to tell'],
    [notCompared, 'not compared, since the figures were not read then'],
  ] as const
  const said = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  return [`Those by webhook only: ${said.join(', ')}.`]
}
