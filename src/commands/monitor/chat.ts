import type { PeopleService } from '../../app/environment.ts'
import type { ChatReply } from '../../channels/interaction.ts'
import { pastSteps } from '../../intake/poll/past-steps.ts'
import { altText, percentText } from '../../message/chart/words.ts'
import { modelName } from '../../message/render/words.ts'
import type { Words } from '../../message/words/words.ts'
import { plain, signed } from '../../platform/text.ts'
import type { Comparison } from '../../service/client/endpoints/compare.ts'
import type { HistoryQuery } from '../../service/client/endpoints/history.ts'
import { type RateName, rateNamed, rateNames } from '../../service/client/readers/rates.ts'
import { prose, tableText } from '../table.ts'
import { bars, lineChart } from './charts.ts'
import { barsOf, comparedRates, countsOf, type RateBar, spreadOf, withShared } from './metrics.ts'
import { absent } from './numbers.ts'
import { type Unit, unitOf } from './rates.ts'
import { seriesShown, unitOfHistory, versionChanges } from './series.ts'

/** As wide as a chat shows letters of one width without a break. */
const chatScreen = { width: 60, colour: false }

/** A history as a chat shows it: in sentences, and as a line that letters draw. Rejects as `ReadFigures` does. */
export async function historyIn(
  words: Words,
  { model, period, category }: Required<HistoryQuery> & { model: string },
  { history, rates }: PeopleService,
): Promise<ChatReply> {
  const { history: readings, readAt, unit: storedUnit, outdated } = await history(model, { period, category })
  const unit = unitOfHistory(storedUnit ?? rates, readings)
  const requested = rateNamed(category) ?? 'overall'
  const isRead = (name: RateName) => readings.points.some((point) => point.rates[name] !== null)
  const rate = isRead(requested) ? requested : (rateNames.find(isRead) ?? requested)
  const series = seriesShown(readings, { period, rate, unit }, words)
  const changes = versionChanges(readings)
  const chart = lineChart(
    series.days,
    changes.map(({ at }) => Date.parse(at)),
    chatScreen,
    (percent) => percentText(percent, words),
  )
  const notes = [
    ...(outdated === undefined
      ? []
      : [words.say('figuresAsOf', { at: words.time(new Date(readAt).toISOString(), 'UTC') })]),
    ...doubtsAbout(unit, readings.unread, words),
  ]
  const list = [
    ...changes.map(({ at, from, to }) =>
      words.say('versionSince', { day: words.day(at, 'UTC'), from: plain(from, 40), to: plain(to, 40) }),
    ),
    ...pastSteps(series.days, rate).map(({ at, points }) => {
      const size = words.number(Math.abs(points), { least: 1, most: 1 })
      return words.say('stepSeen', {
        day: words.day(new Date(at).toISOString(), 'UTC'),
        way: points > 0 ? 'rise' : 'fall',
        points: words.say('points', { size, count: Math.abs(points) }),
      })
    }),
  ]
  return {
    text: [altText(series, words), ...notes].join(' '),
    ...(list.length > 0 && { list }),
    ...(chart !== '' && { figures: chart.trimEnd() }),
  }
}

/** Models beside each other as a chat shows them. Rejects as the client does. */
export async function comparisonIn(
  words: Words,
  models: string[],
  { client, rates }: PeopleService,
): Promise<ChatReply> {
  const comparison = await client.compare(models)
  if (comparison.models.length === 0) return { text: words.say('comparedNone') }
  const unit = unitOf(rates, withShared(comparison).flatMap(countsOf))
  const missing = comparison.missing.map((model) => plain(modelName(model, words), 60))
  const notes = [
    ...doubtsAbout(unit, comparison.unread, words),
    ...(missing.length === 0 ? [] : [words.say('serviceUnaware', { models: words.list(missing) })]),
  ]
  const groups = comparedRates.map((category) => {
    const rates = barsOf(category, withShared(comparison), unit, {
      labelOf: (model) => modelName(model, words),
      textOf: (percent) => percentText(percent, words),
    })
    if (rates.every(({ value }) => value === null)) return ''
    const name = words.say('category', { category, name: category })
    return `${words.say('rateOf', { category, name })}\n${bars(rates, chatScreen)}${spreadText(rates, words)}\n`
  })
  return {
    text: [words.say('compared'), ...notes].join(' '),
    figures: [...groups, table(comparison, words), footer(comparison, words)].join('').trimEnd(),
  }
}

function doubtsAbout({ from }: Unit, unread: number, words: Words): string[] {
  return [
    ...(from === 'assumed' ? [words.say('unitAssumed')] : []),
    ...(unread === 0 ? [] : [words.say('leftOut', { count: unread })]),
  ]
}

function spreadText(rates: readonly RateBar[], words: Words): string {
  const spread = spreadOf(rates)
  if (spread === undefined) return ''
  const figure = (value: number) => words.number(value, { least: 1, most: 1 })
  const size = `${figure(spread.points)}${spread.error === undefined ? '' : ` ± ${figure(spread.error)}`}`
  const points = words.say('points', { size, count: spread.points })
  return `${words.say('highestLessLowest', { points })}\n`
}

function table({ models }: Comparison, words: Words): string {
  const columns = [
    { head: words.say('model'), long: true },
    { head: words.say('version'), long: true },
    { head: words.say('trend'), long: true },
    { head: words.say('biasScore'), align: 'right' },
  ] as const
  const rows = models.map(({ model, version, trend, biasScore }) => [
    modelName(model, words),
    version ?? absent,
    trend === null ? absent : words.say('trendIs', { trend }),
    biasScore === null ? absent : signed(biasScore, 2),
  ])
  return tableText(columns, rows, chatScreen)
}

function footer({ sampleSize, lastUpdated }: Comparison, words: Words): string {
  const parts = [
    ...(sampleSize === null
      ? []
      : [words.say('countedOver', { prompts: words.number(sampleSize, { most: 0 }) })]),
    ...(lastUpdated === null ? [] : [words.say('lastUpdated', { at: words.time(lastUpdated, 'UTC') })]),
  ]
  return parts.length === 0 ? '' : prose(parts.join(' · '), chatScreen)
}
