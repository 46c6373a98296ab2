import * as z from 'zod'
import type { AnswerForm } from '../answer.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { LatestReading } from '../monitored.ts'
import { biasScore, type PerGroup, pairedPrompts, type Topic, topics } from '../prompts.ts'
import { modelName, sampleSizeForm, time, toRecord, version, writeTime } from './figures.ts'
import { score } from './metrics.ts'

/**
 * The answer of `/bias/{model}` about some topics. The overall score is always that of the metrics, and so is the sample
 * size: the number of prompts in pairs.
 */
export function biasForm(
  dialect: ServiceDialect,
): AnswerForm<{ latest: LatestReading; about: readonly Topic[] }> {
  const shapes = { 'topics-list': asList, 'topics-object': asObject, scores: asScores }
  const body = shapes[dialect['bias-shape']](dialect)
  const sampleSize = sampleSizeForm(dialect)
  const whole = pairedPrompts(topics)
  return {
    schema: z.strictObject({
      model: modelName,
      version,
      ...body.fields,
      last_updated: time,
      ...sampleSize.fields,
    }),
    write: ({ latest: { model, reading }, about }) => ({
      model,
      version: reading.version,
      ...body.write(reading.refused, about),
      last_updated: writeTime(reading.at),
      ...sampleSize.write({
        whole,
        each: { overall: whole, ...toRecord(about, (topic) => pairedPrompts([topic])) },
      }),
    }),
  }
}

interface BiasBody {
  fields: z.ZodRawShape
  write(refused: PerGroup, about: readonly Topic[]): Record<string, unknown>
}

/** `"bias_score", "topics": [{"topic", "bias_score"}]`. */
function asList(dialect: ServiceDialect): BiasBody {
  const { entryFields, writeEntry } = sampleSizeForm(dialect)
  const entry = z.strictObject({ topic: z.enum(topics), bias_score: score, ...entryFields })
  return {
    fields: { bias_score: score, topics: z.array(entry) },
    write: (refused, about) => ({
      bias_score: biasScore(refused),
      topics: about.map((topic) => ({
        topic,
        bias_score: biasScore(refused, [topic]),
        ...writeEntry(pairedPrompts([topic])),
      })),
    }),
  }
}

/** `"bias_score", "topics": {"political": {"score"}, …}`. */
function asObject(dialect: ServiceDialect): BiasBody {
  const { entryFields, writeEntry } = sampleSizeForm(dialect)
  const entry = z.strictObject({ score, ...entryFields })
  return {
    fields: { bias_score: score, topics: z.partialRecord(z.enum(topics), entry) },
    write: (refused, about) => ({
      bias_score: biasScore(refused),
      topics: toRecord(about, (topic) => ({
        score: biasScore(refused, [topic]),
        ...writeEntry(pairedPrompts([topic])),
      })),
    }),
  }
}

/** `"overall", "scores": {"political": −0.04, …}`. */
function asScores(): BiasBody {
  return {
    fields: { overall: score, scores: z.partialRecord(z.enum(topics), score) },
    write: (refused, about) => ({
      overall: biasScore(refused),
      scores: toRecord(about, (topic) => biasScore(refused, [topic])),
    }),
  }
}
