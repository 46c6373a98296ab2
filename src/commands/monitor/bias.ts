import { modelName } from '../../message/render/words.ts'
import { signed } from '../../platform/text.ts'
import type { BiasAnalysis } from '../../service/client/endpoints/bias.ts'
import { heading, prose } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { centredBars } from './charts.ts'
import { absent, countText } from './numbers.ts'
import { csvOf, write } from './output.ts'
import { footer } from './rates.ts'
import { aboutModels, type MonitorOptions, sayUnread, serviceOf } from './service.ts'

export async function bias(
  model: string,
  options: MonitorOptions & { topics?: readonly string[] },
  terminal: Terminal,
): Promise<void> {
  const { client } = await serviceOf(options)
  const analysis = await aboutModels([model], () => client.bias(model, options.topics))
  sayUnread(analysis.unread, 'topics', terminal)
  write(options, terminal, {
    json: () => analysis,
    csv: () => biasCsv(analysis),
    text: () => biasText(analysis, terminal),
  })
}

/** One row for each topic; the score over all stands first, without a topic. */
function biasCsv({ model, score, sampleSize, lastUpdated, topics }: BiasAnalysis): string {
  return csvOf([{ topic: null, score, sampleSize }, ...topics], {
    model: () => model,
    topic: (row) => row.topic,
    bias_score: (row) => row.score,
    sample_size: (row) => row.sampleSize,
    last_updated: () => lastUpdated,
  })
}

/** Scores as the service writes them: neither their range nor what a sign means is specified. */
function biasText(analysis: BiasAnalysis, terminal: Terminal): string {
  const rows = [{ topic: 'overall', score: analysis.score, sampleSize: null }, ...analysis.topics]
  const scores = rows.map(({ topic, score, sampleSize }) => ({
    label: topic,
    value: score,
    text: `${score === null ? absent : signed(score, 2)}${sampleSize === null ? '' : ` · ${countText(sampleSize)} prompts`}`,
  }))
  return [
    heading(`${modelName(analysis.model)}: bias score by topic`, terminal),
    centredBars(scores, terminal),
    prose(
      'The service does not document the range of scores or what a sign means. It publishes no error of a score, so there is no interval.',
      terminal,
    ),
    footer(analysis, terminal),
  ].join('')
}
