import { dayMs } from '../../platform/durations.ts'
import { counted, listed, span } from '../../platform/text.ts'
import type { Account, LedgerTally } from './account.ts'

/** A paragraph for a methods section. `windowMs` is that of the account; `hasWebhook`: the service can deliver here. */
export function accountInWords(
  { from, to, total, besides, hoursWithout, polling, revisions }: Account,
  { windowMs, hasWebhook }: { windowMs: number; hasWebhook: boolean },
): string {
  const all = total.webhookOnly + total.pollingOnly + total.both
  const days = Math.round(windowMs / dayMs)
  const byWebhook = total.webhookOnly + total.both
  return [
    `From ${from} to ${to} (UTC), ${counted(all, 'change')} of a rate reached Bluepencil: ${total.webhookOnly} by webhook only, ${total.pollingOnly} by polling only, and ${total.both} by both${leads(total)}.`,
    ...alone(total, days),
    `A report and a step in the published figures count as one change if model, category and direction agree. Their sizes must agree within the sampling error, and their times within ${days} days.`,
    ...(hasWebhook && all > 0 && byWebhook === 0
      ? [`No webhook reported ${all === 1 ? 'it' : 'any of them'}.`]
      : []),
    ...besidesInWords(besides),
    hasWebhook || byWebhook > 0
      ? `Webhooks were known not to arrive for ${counted(hoursWithout.webhook, 'hour')}.`
      : 'No webhooks were set up.',
    ...(polling === null
      ? ['The published figures were not read.']
      : [
          `The published figures were known not to be readable for ${counted(hoursWithout.polling, 'hour')}. They have been read since ${polling.since}, last at ${polling.lastRead}.`,
          ...(revisions === undefined ? [] : [revisionsInWords(revisions)]),
        ]),
  ].join(' ')
}

function besidesInWords({ version, unchanged, withoutSize }: Account['besides']): string[] {
  const parts = [
    [version, 'change of a version label', 'changes of a version label'],
    [unchanged, 'report of no change', 'reports of no change'],
    [withoutSize, 'report without a readable size', 'reports without a readable size'],
  ] as const
  const phrases = parts.flatMap(([count, single, several]) =>
    count === 0 ? [] : [counted(count, single, several)],
  )
  return phrases.length === 0 ? [] : [`Not counted: ${listed(phrases, 'and')}.`]
}

function revisionsInWords(revisions: number): string {
  if (revisions === 0) return 'The service changed no figure after it was published.'
  return `The service changed ${counted(revisions, 'figure')} after publication; bluepencil figures export lists both values of each.`
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
    [tooRecent, 'too recent to judge'],
    [notCompared, 'not compared, since the figures were not read then'],
  ] as const
  const phrases = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  return [`Those by webhook only: ${phrases.join(', ')}.`]
}
