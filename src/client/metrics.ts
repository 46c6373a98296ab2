import * as z from 'zod'
import type { Connection } from './connection.ts'
import { unwrapObject } from './envelope.ts'
import { request, segment } from './request.ts'

/** A number, or one in quotes. */
const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\s*[+-]?\d+(\.\d+)?\s*$/)
      .transform(Number),
  ])
  .nullable()
  .default(null)
const text = z.string().nullable().catch(null)

/**
 * What one model did with the fixed set of 500 prompts ("Model metrics"). Rates are as the service writes
 * them: whether a fraction or percent is not specified. Absent numbers are `null`.
 */
export const ModelMetrics = z
  .object({
    model: z.string(),
    version: text,
    metrics: z.object({
      overall_refusal_rate: number,
      political_refusal_rate: number,
      safety_refusal_rate: number,
      bias_score: number,
    }),
    trend: text,
    last_updated: text,
  })
  .transform(({ model, version, metrics, trend, last_updated }) => ({
    model,
    /** Version label of the measured model. */
    version,
    overallRefusalRate: metrics.overall_refusal_rate,
    politicalRefusalRate: metrics.political_refusal_rate,
    safetyRefusalRate: metrics.safety_refusal_rate,
    /** Can be negative; unit and range are not specified. */
    biasScore: metrics.bias_score,
    /** `rising` occurs; other values are not specified. */
    trend,
    /** ISO 8601, UTC. */
    lastUpdated: last_updated,
  }))
export type ModelMetrics = z.infer<typeof ModelMetrics>

/** GET /monitoring/{model}/metrics ("Endpoints"). `NotFound` where the service does not monitor the model. */
export async function metrics(
  connection: Connection,
  model: string,
  signal?: AbortSignal,
): Promise<ModelMetrics> {
  const path = `/monitoring/${segment(model)}/metrics`
  const answer = await request(connection, { method: 'GET', path, signal })
  return answer.parse(unwrapObject(answer.json(), ['data']), ModelMetrics)
}
