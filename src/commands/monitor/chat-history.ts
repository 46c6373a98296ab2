import type { PeopleService } from '../../app/service-clients.ts'
import type { ChatReply } from '../../channels/interaction.ts'
import { altText, percentText } from '../../message/chart/words.ts'
import type { Words } from '../../message/words/words.ts'
import { plain } from '../../platform/text.ts'
import type { HistoryQuery } from '../../service/client/endpoints/history.ts'
import { rateNamed, rateNames } from '../../service/client/readers/rates.ts'
import { lineChart } from './line-chart.ts'
import { seriesShown } from './shown-series.ts'
import { unitOf } from './unit.ts'
import { versionChanges } from './version-changes.ts'

/** As wide as a chat shows letters of one width without a break. */
const width = 60

/** A history as a chat shows it: in sentences, and as a line that letters draw. Rejects as `ReadFigures` does. */
export async function historyIn(
  words: Words,
  { model, period, category }: Required<HistoryQuery> & { model: string },
  { history, rates }: PeopleService,
): Promise<ChatReply> {
  const { history: found, readAt, unit: known, outdated } = await history(model, { period, category })
  const unit = unitOf(
    known ?? rates,
    found.points.flatMap((point) => rateNames.map((name) => ({ rate: point.rates[name], sampleSize: null }))),
  )
  const wanted = rateNamed(category) ?? 'overall'
  const isRead = (name: (typeof rateNames)[number]) => found.points.some(({ rates: of }) => of[name] !== null)
  const rate = isRead(wanted) ? wanted : (rateNames.find(isRead) ?? wanted)
  const series = seriesShown(found, { period, rate, unit }, words)
  const changes = versionChanges(found)
  const chart = lineChart(
    series.days,
    changes.map(({ at }) => Date.parse(at)),
    { width, colour: false },
    (percent) => percentText(percent, words),
  )
  const notes = [
    ...(outdated === undefined
      ? []
      : [words.say('figuresAsOf', { at: words.time(new Date(readAt).toISOString(), 'UTC') })]),
    ...(unit.from === 'assumed' ? [words.say('unitAssumed')] : []),
    ...(found.unread === 0 ? [] : [words.say('leftOut', { count: found.unread })]),
  ]
  const list = changes.map(({ at, from, to }) =>
    words.say('versionSince', { day: words.day(at, 'UTC'), from: plain(from, 40), to: plain(to, 40) }),
  )
  return {
    text: [altText(series, words), ...notes].join(' '),
    ...(list.length > 0 && { list }),
    ...(chart !== '' && { figures: chart.trimEnd() }),
  }
}
