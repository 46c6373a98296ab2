import { calmYearsPerAlert, chanceSteps } from '../../event/levels.ts'
import { minuteMs } from '../../platform/durations.ts'
import { span } from '../../platform/text.ts'

/** What an installation does, as its configuration has it. Durations are in milliseconds. */
export interface MethodsFacts {
  version: string
  service: string
  /** Whether reports of the service come by webhook. */
  hasWebhook: boolean
  /** How often the figures are read at most; null if they never are, no time if as often as the plan of the key allows. */
  polling: { everyMs: number | undefined } | null
  retentionMs: number
  figuresRetentionMs: number
  /** A sentence for each channel: what it gets, and when. */
  channels: readonly string[]
  /** How many changes came by which way (`ledger`). */
  account: string
}

/** A methods section for a publication with these alerts: one paragraph for each subject. Pure. */
export function methodsSection(facts: MethodsFacts): string {
  return [
    `Changes were recorded with Bluepencil ${facts.version}. They are changes of published refusal rates: the share of test prompts that an AI chat model refuses, as the ${facts.service} measures it.`,
    waysOf(facts),
    ...(facts.polling === null ? [] : [decisions, sizes]),
    `A repeated delivery is recorded once. ${facts.account}`,
    [
      'Alerts were sent as follows.',
      ...facts.channels,
      'Changes that a channel does not get are recorded, too.',
    ].join(' '),
    `Alerts are kept for ${span(facts.retentionMs / minuteMs)}, and published figures for ${span(facts.figuresRetentionMs / minuteMs)}. If the service publishes another value for a figure, both values are kept, each with the time at which it was first read.`,
    `Refusal rates depend on the prompts and on the way in which the service asks them. A change of a rate can come from a new version of a model, from its operator's rules, or from the measurement. It does not prove an intention.`,
  ].join('\n\n')
}

function waysOf({ hasWebhook, polling }: MethodsFacts): string {
  const webhook = hasWebhook
    ? [
        'The service reports changes by webhook. Bluepencil accepts a report only if its signature matches its bytes.',
      ]
    : []
  if (polling === null) return [...webhook, 'The published figures were not searched for changes.'].join(' ')
  const often =
    polling.everyMs === undefined
      ? 'as often as the plan of its key allows'
      : `every ${spanText(polling.everyMs)} at most`
  const seldom = hasWebhook ? ', and only every 15 minutes while webhooks arrive' : ''
  return [
    ...webhook,
    `Bluepencil reads the published figures ${often}${seldom}, and finds changes itself.`,
  ].join(' ')
}

const [veryUnlikely, unlikely] = chanceSteps

const decisions = `Bluepencil compares the newest readings of a rate with earlier ones, and finds a change if they differ by more than noise usually makes. It looks back up to 49 days, or 30 readings if they are rarer, but not past the last change. Outliers count less. The noise is learned from the readings of each model. The threshold gives about one alert in ${calmYearsPerAlert(365)} model-years without any change, all rates together. That was measured in simulation, with daily readings of 500 prompts and binomial noise; noisier readings have more. A change that was found in one reading is withdrawn if the next ones do not show it.`

const sizes = `The range of a change is its 95% range. For changes that Bluepencil found, the lower end allows for selection: a change looks larger at the time it is noticed. “Very unlikely to be chance” stands for ${veryUnlikely.standardErrors} standard errors or more, which one comparison of ${veryUnlikely.oneIn.toLocaleString('en')} reaches by chance. “Unlikely to be chance” stands for ${unlikely.standardErrors} or more, one comparison of ${unlikely.oneIn}.`

function spanText(milliseconds: number): string {
  return milliseconds < 2 * minuteMs
    ? `${Math.round(milliseconds / 1_000)} seconds`
    : span(milliseconds / minuteMs)
}
