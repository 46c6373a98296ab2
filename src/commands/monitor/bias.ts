import { modelName } from '../../message/render/words.ts'
import { signed } from '../../platform/text.ts'
import type { BiasAnalysis } from '../../service/client/endpoints/bias.ts'
import type { Terminal } from '../terminal.ts'
import { centredBars } from './bars.ts'
import { type CsvCell, csv } from './csv.ts'
import { footer } from './footer.ts'
import { absent, countText } from './numbers.ts'
import { write } from './output.ts'
import { aboutModels, type MonitorOptions, sayUnread, serviceOf } from './service.ts'
import { heading, prose } from './table.ts'

export async function bias(
  model: string,
  options: MonitorOptions & { topics?: readonly string[] },
  terminal: Terminal,
): Promise<void> {
  const { client } = serviceOf(options)
  const found = await aboutModels([model], () => client.bias(model, options.topics))
  sayUnread(found.unread, 'topics', terminal)
  write(options, terminal, {
    json: () => found,
    csv: () => biasCsv(found),
    text: () => biasText(found, terminal),
  })
}

/** One row for each topic; the score over all stands first, without a topic. */
export function biasCsv(found: BiasAnalysis): string {
  const row = (topic: string | null, score: number | null, sampleSize: number | null): CsvCell[] => [
    found.model,
    topic,
    score,
    sampleSize,
    found.lastUpdated,
  ]
  return csv(
    ['model', 'topic', 'bias_score', 'sample_size', 'last_updated'],
    [
      row(null, found.score, found.sampleSize),
      ...found.topics.map(({ topic, score, sampleSize }) => row(topic, score, sampleSize)),
    ],
  )
}

/** Scores as the service writes them: neither their range nor what a sign means is specified. */
export function biasText(found: BiasAnalysis, terminal: Terminal): string {
  const rows = [{ topic: 'overall', score: found.score, sampleSize: null }, ...found.topics]
  const all = rows.map(({ topic, score, sampleSize }) => ({
    label: topic,
    value: score,
    text: `${score === null ? absent : signed(score, 2)}${sampleSize === null ? '' : ` · ${countText(sampleSize)} prompts`}`,
  }))
  return [
    heading(`${modelName(found.model)}: bias score by topic`, terminal),
    centredBars(all, terminal),
    prose('The service does not say which range scores have, nor what a sign means.', terminal),
    footer(found, terminal),
  ].join('')
}
