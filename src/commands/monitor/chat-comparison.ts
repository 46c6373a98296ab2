import type { PeopleService } from '../../app/service-clients.ts'
import type { ChatReply } from '../../channels/interaction.ts'
import { percentText } from '../../message/chart/words.ts'
import { modelName } from '../../message/render/words.ts'
import type { Words } from '../../message/words/words.ts'
import { plain, signed } from '../../platform/text.ts'
import type { Comparison } from '../../service/client/endpoints/compare.ts'
import { bars } from './bars.ts'
import { withShared } from './compare.ts'
import { countsOf, ratesOf } from './metrics.ts'
import { absent } from './numbers.ts'
import { prose, tableText } from './table.ts'
import { inPercent, type Unit, unitOf } from './unit.ts'

/** As wide as a chat shows letters of one width without a break. */
const shown = { width: 60, colour: false }

/** Models beside each other as a chat shows them. Rejects as the client does. */
export async function comparisonIn(
  words: Words,
  models: string[],
  { client, rates }: PeopleService,
): Promise<ChatReply> {
  const found = await client.compare(models)
  if (found.models.length === 0) return { text: words.say('comparedNone') }
  const unit = unitOf(
    rates,
    found.models.flatMap((one) => countsOf(withShared(one, found))),
  )
  const names = found.missing.map((model) => plain(modelName(model, words), 60))
  const notes = [
    ...(unit.from === 'assumed' ? [words.say('unitAssumed')] : []),
    ...(found.unread === 0 ? [] : [words.say('leftOut', { count: found.unread })]),
    ...(names.length === 0 ? [] : [words.say('serviceUnaware', { models: words.list(names) })]),
  ]
  const groups = (['overall', 'political', 'safety'] as const).map((name) => group(name, found, unit, words))
  return {
    text: [words.say('compared'), ...notes].join(' '),
    figures: [...groups, table(found, words), footer(found, words)].join('').trimEnd(),
  }
}

function group(
  category: 'overall' | 'political' | 'safety',
  found: Comparison,
  unit: Unit,
  words: Words,
): string {
  const all = found.models.map((one) => {
    const value = inPercent(ratesOf(one).find(({ name }) => name === category)?.rate ?? null, unit)
    return {
      label: modelName(one.model, words),
      value,
      text: value === null ? absent : percentText(value, words),
    }
  })
  const known = all.flatMap(({ value }) => value ?? [])
  if (known.length === 0) return ''
  const heading = words.say('rateOf', { category, name: words.say('category', { category, name: category }) })
  return `${heading}\n${bars(all, shown)}${known.length < 2 ? '' : spread(known, words)}\n`
}

function spread(values: readonly number[], words: Words): string {
  const count = Math.max(...values) - Math.min(...values)
  const points = words.say('points', { size: words.number(count, { least: 1, most: 1 }), count })
  return `${words.say('highestLessLowest', { points })}\n`
}

function table(found: Comparison, words: Words): string {
  const columns = [
    { head: words.say('model'), long: true },
    { head: words.say('version'), long: true },
    { head: words.say('trend'), long: true },
    { head: words.say('biasScore'), align: 'right' },
  ] as const
  const rows = found.models.map(({ model, version, trend, biasScore }) => [
    modelName(model, words),
    version ?? absent,
    trend === null ? absent : words.say('trendIs', { trend }),
    biasScore === null ? absent : signed(biasScore, 2),
  ])
  return tableText(columns, rows, shown)
}

function footer({ sampleSize, lastUpdated }: Comparison, words: Words): string {
  const parts = [
    ...(sampleSize === null
      ? []
      : [words.say('countedOver', { prompts: words.number(sampleSize, { most: 0 }) })]),
    ...(lastUpdated === null ? [] : [words.say('lastUpdated', { at: words.time(lastUpdated, 'UTC') })]),
  ]
  return parts.length === 0 ? '' : prose(parts.join(' · '), shown)
}
