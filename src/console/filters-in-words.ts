import {
  type ChannelFilters,
  type CommonSettings,
  isForTroubleAlone,
  type Stories,
} from '../channels/settings.ts'
import { modelName } from '../message/render/words.ts'
import { listed, span } from '../platform/text.ts'

/** What a channel gets, in a sentence. */
export function filtersInWords(settings: ChannelFilters): string {
  if (isForTroubleAlone(settings)) return 'Trouble alone: no alert goes here.'
  const { models, events, categories, minDelta = 0, direction } = settings
  const parts = [
    models === undefined
      ? 'about every model'
      : `about ${listed(
          models.map((model) => modelName(model)),
          'or',
        )}`,
    ...(events === undefined ? [] : [`of the type ${listed(events.map(words), 'or')}`]),
    ...(categories === undefined ? [] : [`on ${listed(categories.map(words), 'or')} prompts`]),
    ...(minDelta === 0 ? [] : [`of at least ${pointsText(minDelta)}`]),
    ...(direction === 'both' ? [] : [direction === 'rise' ? 'that rise' : 'that fall']),
  ]
  return `Alerts ${parts.join(', ')}.`
}

export const weekdays: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** When it gets them: quiet hours, digests and stories. */
export function hoursInWords({
  quiet,
  digest,
  stories = 'off',
  timeZone,
}: Pick<CommonSettings, 'quiet' | 'digest' | 'stories' | 'timeZone'>): string[] {
  const sentences: string[] = []
  if (quiet !== undefined) {
    const on = quiet.days === undefined ? '' : ` beginning on ${listed(quiet.days.map(dayName), 'and')}`
    sentences.push(`Quiet from ${quiet.from} to ${quiet.to}${on} (${timeZone})${unlessText(quiet.unless)}.`)
  }
  if (digest !== undefined) {
    const { every, at = '08:00', on = 'mon' } = digest
    const when = { hour: 'Every hour', day: `Every day at ${at}`, week: `Every ${dayName(on)} at ${at}` }[
      every
    ]
    sentences.push(`${when} in one message (${timeZone})${unlessText(digest.unless)}.`)
  }
  const gathered = stories === 'off' ? [] : [storiesText(stories)]
  return [...(sentences.length === 0 ? [atOnce] : sentences), ...gathered]
}

const atOnce =
  'At once, at any hour. From the eleventh alert in ten minutes on, the rest come as one message, ten minutes later at most.'

function storiesText({ within, worse }: Stories): string {
  return `If its messages can be edited, alerts of one model, category and direction within ${span(within / 60_000)} become one message; what is larger by ${pointsText(worse)} also comes by itself.`
}

function unlessText(unless: { minDelta: number } | undefined): string {
  return unless === undefined
    ? ''
    : `; changes of at least ${pointsText(unless.minDelta)} at once all the same`
}

function pointsText(points: number): string {
  return `${points} percentage ${points === 1 ? 'point' : 'points'}`
}

function dayName(day: string): string {
  return weekdays[day] ?? day
}

function words(identifier: string): string {
  return identifier.replaceAll('_', ' ')
}
