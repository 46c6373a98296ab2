import * as z from 'zod'
import { models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { LatestReading } from '../monitored.ts'
import { biasScore, type PerGroup, pairedPrompts, type Topic, topics } from '../prompts.ts'
import type { AnswerForm } from './form.ts'
import { score, version } from './metrics.ts'
import { writeTime } from './rate.ts'
import {
  entrySampleSizeFields,
  sampleSizeFields,
  writeEntrySampleSize,
  writeSampleSize,
} from './sample-size.ts'

/**
 * The answer of `/bias/{model}` about these topics. The score of the whole is that of the metrics, whatever topics are
 * asked for; so is the sample size, the number of prompts that come in pairs.
 */
export function biasForm(
  dialect: ServiceDialect,
): AnswerForm<{ latest: LatestReading; asked: readonly Topic[] }> {
  const body = bodies[dialect['bias-shape']](dialect)
  return {
    schema: z.strictObject({
      model: z.enum(models),
      version,
      ...body.fields,
      last_updated: z.iso.datetime(),
      ...sampleSizeFields(dialect['sample-size']),
    }),
    write: ({ latest: { model, reading }, asked }) => ({
      model,
      version: reading.version,
      ...body.write(reading.refused, asked),
      last_updated: writeTime(reading.at),
      ...writeSampleSize(dialect['sample-size'], {
        whole: pairedPrompts(topics),
        each: {
          overall: pairedPrompts(topics),
          ...Object.fromEntries(asked.map((topic) => [topic, pairedPrompts([topic])])),
        },
      }),
    }),
  }
}

interface BiasBody {
  fields: z.ZodRawShape
  write(refused: PerGroup, asked: readonly Topic[]): Record<string, unknown>
}

const bodies: Record<ServiceDialect['bias-shape'], (dialect: ServiceDialect) => BiasBody> = {
  'topics-list': asList,
  'topics-object': asObject,
  scores: asScores,
}

/** `"bias_score", "topics": [{"topic", "bias_score"}]`. */
function asList(dialect: ServiceDialect): BiasBody {
  const form = dialect['sample-size']
  return {
    fields: {
      bias_score: score,
      topics: z.array(
        z.strictObject({ topic: z.enum(topics), bias_score: score, ...entrySampleSizeFields(form) }),
      ),
    },
    write: (refused, asked) => ({
      bias_score: biasScore(refused),
      topics: asked.map((topic) => ({
        topic,
        bias_score: biasScore(refused, [topic]),
        ...writeEntrySampleSize(form, pairedPrompts([topic])),
      })),
    }),
  }
}

/** `"bias_score", "topics": {"political": {"score"}, …}`. */
function asObject(dialect: ServiceDialect): BiasBody {
  const form = dialect['sample-size']
  const one = z.strictObject({ score, ...entrySampleSizeFields(form) })
  return {
    fields: { bias_score: score, topics: z.partialRecord(z.enum(topics), one) },
    write: (refused, asked) => ({
      bias_score: biasScore(refused),
      topics: Object.fromEntries(
        asked.map((topic) => [
          topic,
          { score: biasScore(refused, [topic]), ...writeEntrySampleSize(form, pairedPrompts([topic])) },
        ]),
      ),
    }),
  }
}

/** `"overall", "scores": {"political": −0.04, …}`. */
function asScores(): BiasBody {
  return {
    fields: { overall: score, scores: z.partialRecord(z.enum(topics), score) },
    write: (refused, asked) => ({
      overall: biasScore(refused),
      scores: Object.fromEntries(asked.map((topic) => [topic, biasScore(refused, [topic])])),
    }),
  }
}
