import { BadRequest } from '../errors.ts'
import type { ServiceConnection } from '../http/connection.ts'
import { request, segment } from '../http/request.ts'
import { answerNames, biasNames, metricsNames, sampleSizeNames } from '../names.ts'
import { type Fields, firstOf, isFields, pick, placesIn, readNumber, readText } from '../readers/fields.ts'
import { readSampleSize, readSize } from '../readers/sample-size.ts'
import { readTime } from '../readers/time.ts'
import { separable } from './compare.ts'

interface TopicBias {
  /** `political`, `social` and `economic` occur; the full list is not specified. */
  topic: string
  /** Can be negative; unit and range are not specified. `null` where the service has none for the topic. */
  score: number | null
  sampleSize: number | null
}

export interface BiasAnalysis {
  model: string
  /** Over all topics; can be negative, unit and range are not specified. */
  score: number | null
  /** In the order of the answer, each topic once. */
  topics: TopicBias[]
  /** Prompts behind the analysis. */
  sampleSize: number | null
  /** ISO 8601, UTC. */
  lastUpdated: string | null
  /** Topics that were there and could not be read. */
  unread: number
}

/** Stand among the topics and are none. */
const overallTopics = new Set<string>([...biasNames.overall, ...biasNames.overallTopics])
const asideNames = new Set([...sampleSizeNames.size, ...answerNames.updated])
const deepest = 4

/** GET /bias/{model} ("Endpoints"). Without `topics`, those that the service chooses. */
export async function bias(
  connection: ServiceConnection,
  model: string,
  topics?: readonly string[],
  signal?: AbortSignal,
): Promise<BiasAnalysis> {
  const asked = topics === undefined ? undefined : separable(topics, 'topic')
  if (asked?.length === 0) {
    throw new BadRequest('No topic was named. Name one or more, such as political, or leave topics out.')
  }
  const path = `/bias/${segment(model)}`
  const answer = await request(connection, {
    method: 'GET',
    path,
    query: { topics: asked?.join(',') },
    signal,
  })
  const read = readBias(answer.json(), model)
  if (read !== undefined) return read
  throw answer.unintelligible('JSON of another shape (no bias_score, and no topics or scores)')
}

/** Topics as a list, as an object, or as plain scores; bare or wrapped. Undefined where nothing can be read. */
export function readBias(answer: unknown, model: string): BiasAnalysis | undefined {
  const places = placesIn(answer)
  const found = find(answer, [model, ...biasNames.wrappers], deepest)
  const within = [...(found === undefined ? [] : [found.around]), ...places]
  const read: TopicBias[] = found?.topics ?? []
  const unread = found?.unread ?? 0
  const score = firstOf(within, biasNames.overall, readScore) ?? scoreOf(read)
  if (score === null && read.length === 0 && (found === undefined || unread > 0)) return undefined
  const topics = new Map<string, TopicBias>()
  for (const one of read) {
    if (!overallTopics.has(one.topic) && !topics.has(one.topic)) topics.set(one.topic, one)
  }
  const sizes = (topic: string) =>
    firstOf(within, sampleSizeNames.size, (size) => (isFields(size) ? readSize(pick(size, [topic])) : null))
  return {
    model: firstOf(places, metricsNames.model, readText) ?? model,
    score,
    topics: [...topics.values()].map((one) => ({ ...one, sampleSize: one.sampleSize ?? sizes(one.topic) })),
    sampleSize: readSampleSize(within).total,
    lastUpdated: firstOf(within, answerNames.updated, readTime),
    unread,
  }
}

interface PrintedTopic {
  topics: TopicBias[]
  unread: number
  /** The object in which they stood. */
  around: Fields
}

function find(value: unknown, wrappers: readonly string[], depth: number): PrintedTopic | undefined {
  if (Array.isArray(value)) return fromList(value, {})
  if (!isFields(value) || depth === 0) return undefined
  const columns = fromColumns(value)
  if (columns !== undefined) return columns
  for (const name of biasNames.topics) {
    const inner = pick(value, [name])
    const found = Array.isArray(inner) ? fromList(inner, value) : fromObject(inner, value)
    if (found !== undefined) return found
  }
  for (const name of wrappers) {
    const found = find(pick(value, [name]), wrappers, depth - 1)
    if (found !== undefined) return found
  }
  // `{"bias": {"political": 0.1, …}}`, and `{"data": {"political": {"score": 0.1}, …}}` with no name for the topics.
  const named = fromObject(value.bias, value)
  if (named !== undefined) return named
  const bare = Object.entries(value).filter(([, inner]) => isFields(inner) && readScore(inner) !== null)
  return bare.length === 0 ? undefined : fromObject(Object.fromEntries(bare), value)
}

/** `{"topics": ["political", …], "scores": [0.1, …]}` */
function fromColumns(fields: Fields): PrintedTopic | undefined {
  const names = pick(fields, biasNames.columns)
  const scores = pick(fields, biasNames.columnScores)
  if (!Array.isArray(names) || !Array.isArray(scores)) return undefined
  if (!names.every((name) => typeof name === 'string')) return undefined
  return fromEntries(
    names.map((name, index) => [name, scores[index] ?? null]),
    fields,
  )
}

function fromList(list: readonly unknown[], around: Fields): PrintedTopic | undefined {
  if (list.length > 0 && !list.some(isFields)) return undefined
  return fromEntries(
    list.map((one) => [isFields(one) ? (readText(pick(one, biasNames.topic)) ?? '') : '', one]),
    around,
  )
}

function fromObject(value: unknown, around: Fields): PrintedTopic | undefined {
  if (!isFields(value)) return undefined
  return fromEntries(
    Object.entries(value).filter(([name]) => !asideNames.has(name)),
    around,
  )
}

function fromEntries(entries: [name: string, value: unknown][], around: Fields): PrintedTopic {
  const topics = entries.flatMap(([name, value]) => readTopic(name, value) ?? [])
  return { topics, unread: entries.length - topics.length, around }
}

function readTopic(name: string, value: unknown): TopicBias | undefined {
  const topic = name.trim()
  const score = readScore(value)
  const none = value === null || (isFields(value) && biasNames.score.some((field) => value[field] === null))
  if (topic === '' || (score === null && !none)) return undefined
  return { topic, score, sampleSize: isFields(value) ? readSize(pick(value, sampleSizeNames.size)) : null }
}

function readScore(value: unknown): number | null {
  return readNumber(isFields(value) ? pick(value, biasNames.score) : value)
}

function scoreOf(topics: readonly TopicBias[]): number | null {
  return topics.find(({ topic }) => overallTopics.has(topic))?.score ?? null
}
